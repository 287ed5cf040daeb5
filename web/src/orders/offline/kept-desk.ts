import type { QueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { line } from '#lib/calls/is-reached.ts'
import { canSeal, getSealed, keepSecret, putSealed, removeSealed } from '#lib/device/sealed-store.ts'
import { storedToken, storeToken } from '#lib/kept/stored-session.ts'
import { claimsOf } from '#lib/kept/token-claims.ts'
import { createStore } from '#lib/kept/store.ts'
import { learnShopZone } from '#lib/time/shop-day.ts'
import { merchantQuery } from '#merchants/public.ts'
import { session, startSession, type User } from '#sign-in/public.ts'
import { liveState } from '../live/live-state.ts'
import { paintedOver } from '../state/paint-ahead.ts'
import type { Order } from '../state/queries.ts'
import { countLine, detailLine, listLine, queueLine } from '../state/queries.ts'

/** When the server was last heard, on a page that shows what the device kept; null on any other page. */
export const keptSince = createStore<number | null>(null)

interface Snapshot {
  readonly user: User
  readonly heardAt: number
  readonly entries: readonly (readonly [key: readonly unknown[], data: unknown])[]
}

const NAME = 'desk'
const seal = { kind: 'session' } as const
const MOST_ORDERS = 60
const MOST_PAGES = 5
const SETTLE_MS = 2_000

/** Keeps what is on the screen, sealed to this session; returns the function that ends this. */
export function startKeeping(queryClient: QueryClient): () => void {
  if (!canSeal()) return () => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = async (): Promise<void> => {
    timer = undefined
    const { user, loggedIn } = session.get()
    if (!loggedIn || !user || liveState.get().kind !== 'live') return
    keepSecret(user.id, (claimsOf(storedToken() ?? '').exp ?? 0) * 1000)
    const entries = entriesOf(queryClient)
    await putSealed(NAME, seal, { user, heardAt: Date.now(), entries } satisfies Snapshot)
  }
  const later = (): void => {
    timer ??= setTimeout(() => void keep().catch(() => undefined), SETTLE_MS)
  }
  const unlisten = [
    queryClient.getQueryCache().subscribe(({ type }) => type === 'updated' && later()),
    liveState.listen(later),
    session.listen(() => {
      if (session.get().loggedIn === false) void removeSealed(NAME).catch(() => undefined)
    }),
  ]
  later()
  return () => {
    clearTimeout(timer)
    for (const end of unlisten) end()
  }
}

function entriesOf(queryClient: QueryClient): Snapshot['entries'] {
  const newest = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.data !== undefined)
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const of = (line_: unknown) => newest.filter(({ queryKey }) => queryKey[0] === line_)
  const merchantLine = merchantQuery('').queryKey[0]
  const whole = [...of(queueLine), ...of(countLine), ...of(merchantLine)]
  return [
    ...whole.map(({ queryKey, state }) => [queryKey, state.data] as const),
    ...of(detailLine)
      .slice(0, MOST_ORDERS)
      .map(({ queryKey, state }) => [queryKey, confirmed(state.data as Order)] as const),
    ...of(listLine)
      .filter(({ state }) => 'pages' in (state.data as object))
      .slice(0, MOST_PAGES)
      .map(({ queryKey, state }) => [queryKey, firstPages(state.data as Pages)] as const),
  ]
}

interface Pages {
  pages: { items: Order[] }[]
  pageParams: unknown[]
}

function firstPages({ pages, pageParams }: Pages): Pages {
  return {
    pages: pages.slice(0, MOST_PAGES).map((page) => ({ ...page, items: page.items.map(confirmed) })),
    pageParams: pageParams.slice(0, MOST_PAGES),
  }
}

/** Of a change shown ahead, only what the server has said is kept. */
function confirmed<O extends Order>(order: O): O {
  const before = paintedOver.get(order.id)
  return before && !Number.isInteger(order.version) ? { ...order, ...before } : order
}

/** Shows what the device kept for this session. Without it, the page goes on as usual and finds no server. */
export async function openKept(queryClient: QueryClient): Promise<void> {
  const token = storedToken()
  if (!token || !canSeal()) return
  const found = (await getSealed(NAME, seal).catch(() => undefined)) as Snapshot | undefined
  if (!found || String(found.user.id) !== claimsOf(token).sub) return
  const { user, heardAt, entries } = found
  for (const [key, data] of entries) {
    queryClient.setQueryData(key, data)
    if (key[0] === merchantQuery('').queryKey[0]) learnShopZone(data as { timezone: string })
  }
  line.isAway = true
  keptSince.set(heardAt)
  liveState.set({ kind: 'reconnecting', since: heardAt })
  // The page belongs to this person from here on, as after a sign-in.
  storeToken(token)
  session.set({ loggedIn: true, user, failed: false })
  const unlisten = liveState.listen(() => {
    if (liveState.get().kind !== 'live') return
    unlisten()
    keptSince.set(null)
    void call('GET /a/v2/sessions')
      .then(startSession)
      .catch(() => undefined)
  })
}
