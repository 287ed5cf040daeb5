import { tabRoutes } from '@cellarhand/contract/labels'
import { tabOf, type Tab } from '@cellarhand/contract/order-statuses'
import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { call } from '#lib/calls/call.ts'
import { isReached } from '#lib/calls/is-reached.ts'
import { lineState } from '#lib/calls/line-state.ts'
import { canSeal, getSealed, keepSecret, putSealed, removeSealed } from '#lib/device/sealed-store.ts'
import { isStillStored, storedToken, storeToken } from '#lib/kept/stored-session.ts'
import { claimsOf } from '#lib/kept/token-claims.ts'
import { learnShopZone } from '#lib/time/shop-day.ts'
import { merchantQuery } from '#merchants/public.ts'
import { session, startSession, type User } from '#sign-in/public.ts'
import { liveState } from '../state/live-state.ts'
import { isPaintedAhead } from '../order/unconfirmed.ts'
import { isFiltered, readListSearch, viewOf, type ListView } from '../state/list-view.ts'
import type { Order } from '../state/queries.ts'
import { detailLine, listLine } from '../state/queries.ts'
import { heardBefore, keptSince } from './line-state.ts'
import { followBuild, followTouch, liveBuild, ownBuild, type Build, type Desk } from './newer-build.ts'
import { answersOf, forgetPages, keepPages, showPages, type Kept } from './kept-pages.ts'
import { OfflineDesk } from './offline-desk.tsx'
import { offlinePart } from './offline-part.ts'
import { openAgain } from './open-again.ts'
import { showWaiting } from './waiting.ts'

interface Snapshot {
  /** Another build may have other shapes. */
  readonly build: string
  readonly user: User
  readonly heardAt: number
  readonly entries: readonly Entry[]
}

type Entry = readonly [key: readonly unknown[], data: unknown]

const NAME = 'desk'
const seal = { kind: 'session' } as const
const MOST_LISTS = 5
const MOST_PAGES = 5
const MOST_OTHERS = 200
const SETTLE_MS = 2_000
const LOOK_MS = 3_000
const MOST_MS = 60_000
/** Orders, their parts, the queue and the counts. Searches and exports stay out. */
const ofOrders = /^GET \/m\/v2\/(merchant\/\{tmk\}\/)?orders\/(?!optimize$)/

/** Keeps what is on the screen, sealed to this session. The returned function ends it, with the session also the record. */
export function startKeeping(queryClient: QueryClient): () => void {
  if (!canSeal()) return () => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = async (): Promise<void> => {
    timer = undefined
    const { user, loggedIn } = session.get()
    const token = storedToken()
    if (!loggedIn || !user || !token || liveState.get().kind !== 'live') return
    const entries = entriesOf(queryClient)
    // What the server has not said is not kept. Its answer or its silence comes within seconds.
    if (entries.some(isAhead)) return later()
    keepSecret(user.id, (claimsOf(token).exp ?? 0) * 1000)
    const now: Snapshot = { build: ownBuild(), user, heardAt: Date.now(), entries }
    const whole = entries.some(isActiveList) ? now : withBefore(now, await readKept(token))
    // Another tab may have signed out meanwhile, and somebody else in.
    if (storedToken() !== token) return
    await putSealed(NAME, seal, whole)
    await keepPages(queryClient, { user: user.id, isStill: () => storedToken() === token })
  }
  // A full or refused storage keeps nothing, and the desk works as before.
  const later = (): void => {
    timer ??= setTimeout(() => void keep().catch(() => undefined), SETTLE_MS)
  }
  const unlisten = [
    queryClient.getQueryCache().subscribe(({ type }) => type === 'updated' && later()),
    liveState.listen(later),
  ]
  later()
  return () => {
    clearTimeout(timer)
    for (const end of unlisten) end()
    if (session.get().loggedIn === false) void forget()
  }
}

function put(queryClient: QueryClient, entries: readonly Entry[]): void {
  for (const [queryKey, data] of entries) {
    queryClient.setQueryData(queryKey, data)
    if (queryKey[0] === merchantQuery('').queryKey[0]) learnShopZone(data as { timezone: string })
  }
}

async function forget(): Promise<void> {
  await Promise.all([removeSealed(NAME), forgetPages()]).catch(() => undefined)
}

function entriesOf(queryClient: QueryClient): Entry[] {
  const newest = queryClient
    .getQueryCache()
    .getAll()
    // After a cut nobody knows what has changed in a list that is not shown.
    .filter(({ state }) => state.data !== undefined && !state.isInvalidated && !(state.data instanceof Blob))
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const merchantLine = merchantQuery('').queryKey[0]
  const isList = (data: unknown): data is Pages =>
    typeof data === 'object' && data !== null && 'pages' in data
  const lists = newest.filter(({ queryKey, state }) => queryKey[0] === listLine && isList(state.data))
  const others = newest.filter(
    ({ queryKey: [line] }) => line === merchantLine || (line !== listLine && ofOrders.test(String(line))),
  )
  return [
    ...lists
      .slice(0, MOST_LISTS)
      .map(({ queryKey, state }) => [queryKey, firstPages(state.data as Pages)] as const),
    ...others.slice(0, MOST_OTHERS).map(({ queryKey, state }) => [queryKey, state.data] as const),
  ]
}

function isActiveList([[line, , view]]: Entry): boolean {
  return line === listLine && (view as ListView).tab === 'active' && !isFiltered(view as ListView)
}

/**
 * A page that was opened by an order's address, or that is still loading, knows no list. It must not cost the device
 * the list that an earlier page has kept. Then the page is as old as that list, except for the orders of this page.
 */
function withBefore(now: Snapshot, before: Snapshot | undefined): Snapshot {
  if (!before) return now
  const has = new Set(now.entries.map(([key]) => JSON.stringify(key)))
  const known = new Map<string, Order>()
  const note = (order: Order): void => {
    if (!(order.version < (known.get(order.id)?.version ?? 0))) known.set(order.id, order)
  }
  for (const [[line], data] of now.entries) {
    if (line === detailLine) note(data as Order)
    else if (line === listLine) for (const { items } of (data as Pages).pages) items.forEach(note)
  }
  const newest = (order: Order): Order => {
    const other = known.get(order.id)
    return other && other.version > order.version ? other : order
  }
  const carried = before.entries
    .filter(([key]) => !has.has(JSON.stringify(key)))
    .map(([key, data]): Entry => [
      key,
      key[0] === listLine ? follow(data as Pages, (key[2] as ListView).tab, newest) : data,
    ])
  const all = [...now.entries, ...carried]
  const lists = all.filter(([[line]]) => line === listLine)
  return {
    ...now,
    heardAt: before.heardAt,
    entries: [
      ...[...lists.filter(isActiveList), ...lists.filter((each) => !isActiveList(each))].slice(0, MOST_LISTS),
      ...all.filter(([[line]]) => line !== listLine).slice(0, MOST_OTHERS),
    ],
  }
}

/** The rows as this page knows them; an order that has left the tab leaves the list. */
function follow({ pages, pageParams }: Pages, tab: Tab, newest: (order: Order) => Order): Pages {
  const rows = (items: Order[]): Order[] =>
    items.map(newest).filter(({ status, delivery }) => tabOf(status, delivery.method) === tab)
  return { pages: pages.map((page) => ({ ...page, items: rows(page.items) })), pageParams }
}

interface Pages {
  pages: { items: Order[] }[]
  pageParams: unknown[]
}

function firstPages({ pages, pageParams }: Pages): Pages {
  return {
    pages: pages.slice(0, MOST_PAGES),
    pageParams: pageParams.slice(0, MOST_PAGES),
  }
}

function isAhead([[line], data]: Entry): boolean {
  if (line === listLine) return (data as Pages).pages.some(({ items }) => items.some(isPaintedAhead))
  return line === detailLine && isPaintedAhead(data as Order)
}

/**
 * Begins on a page that no server gave. It shows what the device kept for this session; without that, the page goes on
 * as usual. Once the server is heard, the page asks for everything again, or goes to the build that is live now. A page
 * that the server gave becomes such a page if the line is lost before its orders come.
 */
export async function openKept(desk: Desk): Promise<void> {
  const mark = document.querySelector<HTMLMetaElement>('[name=cellarhand-kept]')
  if (!mark) return openAgain(desk.queryClient, hasKept)
  followTouch()
  const isLate = mark.content === 'late'
  const found = await findKept()
  // Another tab may have signed out while the record was opened.
  if (found && storedToken() !== found.token) return
  if (found) show(desk.queryClient, found)
  else void goOnLater(desk)
  if (found) heardBefore.set(found.kept.heardAt)
  if (found && !isLate) {
    setAway(found.kept.heardAt)
    // All that is above the rows comes with them, and pushes none away from under a hand.
    offlinePart.set(createElement(OfflineDesk))
    await showWaiting(desk.queryClient)
  }
  const unlisten = liveState.listen(() => liveState.get().kind === 'live' && heard())
  const heard = (build?: Build): void => {
    unlisten()
    keptSince.set(null)
    // From here on, a server has been heard.
    mark.remove()
    const asked = found && askAgain(desk.queryClient)
    void followBuild(desk, build, asked)
  }
  if (!isLate) return
  void liveBuild().then((build) => {
    if (liveState.get().kind === 'live') return
    if (build) heard(build)
    else if (found) setAway(found.kept.heardAt)
  })
}

/** Without a kept session the page says that it could not load. Once the server answers, it goes on by itself. */
async function goOnLater({ router }: Desk): Promise<void> {
  for (let pauseMs = LOOK_MS; session.get().loggedIn === null && storedToken() !== null; pauseMs *= 1.5) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, MOST_MS)))
    if (session.get().failed && (await isReached())) await router.invalidate()
  }
}

interface Found {
  readonly kept: Snapshot
  readonly pages: readonly Kept[]
  readonly token: string
}

async function findKept(): Promise<Found | undefined> {
  const token = storedToken()
  if (!canSeal()) return undefined
  const kept = token ? await readKept(token) : undefined
  if (token && kept) return { kept, pages: await answersOf(kept.user.id), token }
  await forget()
  return undefined
}

/** Whether the device kept the list, or the order, of this page's address. */
async function hasKept(): Promise<boolean> {
  const token = storedToken()
  const kept = token && canSeal() ? await readKept(token) : undefined
  const [, , segment = 'active', id] = location.pathname.split('/')
  const search = readListSearch(
    Object.fromEntries(new URLSearchParams(location.search.replaceAll('%22', ''))),
  )
  return (kept?.entries ?? []).some(([[line, first, view], data]) => {
    if (segment === 'view' && line === detailLine) return first === id
    if (line !== listLine) return false
    if (segment === 'view') return (data as Pages).pages.some(({ items }) => items.some((o) => o.id === id))
    const { tab } = view as ListView
    return tabRoutes[tab] === segment && JSON.stringify(view) === JSON.stringify(viewOf(tab, search))
  })
}

/** Of another person on the same device, nothing is read, although the store may hold it. */
async function readKept(token: string): Promise<Snapshot | undefined> {
  const kept = await getSealed(NAME, seal).catch(() => undefined)
  return isOf(claimsOf(token).sub, kept) && kept.build === ownBuild() ? kept : undefined
}

function isOf(person: string | undefined, kept: unknown): kept is Snapshot {
  return kept !== undefined && String((kept as Snapshot).user.id) === person
}

function show(queryClient: QueryClient, { kept: { user, entries }, pages, token }: Found): void {
  queryClient.setDefaultOptions({
    ...queryClient.getDefaultOptions(),
    queries: { ...queryClient.getDefaultOptions().queries, gcTime: Infinity },
  })
  put(queryClient, entries)
  showPages(queryClient, pages)
  // The page belongs to this person from here on, as after a sign-in.
  storeToken(token)
  session.set({ loggedIn: true, user, failed: false })
}

function setAway(since: number): void {
  keptSince.set(since)
  lineState.set('away')
  liveState.set({ kind: 'reconnecting', since })
}

async function askAgain(queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({}, { throwOnError: true }).then(
    () => heardBefore.set(null),
    () => undefined,
  )
  const sent = storedToken()
  await call('GET /a/v2/sessions')
    .then((reply) => {
      // Another tab may have signed out meanwhile.
      const isOurs = sent !== null && isStillStored({ sent, renewed: reply.token })
      if (isOurs && session.get().user?.id === reply.user.id) startSession(reply)
    })
    .catch(() => undefined)
}
