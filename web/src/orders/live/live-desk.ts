import type { StreamEventName, StreamEvents } from '@cellarhand/contract/events'
import { tabOf } from '@cellarhand/contract/order-statuses'
import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { call, CallError } from '#lib/calls/call.ts'
import { openEventStream, type StreamState } from '#lib/calls/event-stream.ts'
import { followKeptParts, keepDesk, markLine } from '#lib/device/keep-desk.ts'
import { followCounts } from './follow-counts.ts'
import { askAnew, type AskedAnew } from './ask-anew.ts'
import { followOlder } from './follow-older.ts'
import { isFinal } from './is-final.ts'
import { keepTold, type KeptTold } from './keep-told.ts'
import { followNotes, type FollowedNotes } from '../noted/follow-notes.ts'
import { keeper } from '../offline/keeper.ts'
import { keepAccepts, sendOrKeep } from '../offline/send-or-keep.ts'
import { startKeeping } from '../offline/kept-desk.ts'
import { heardBefore, watchLine } from '../offline/line-state.ts'
import { OfflineDesk } from '../offline/offline-desk.tsx'
import { offlinePart } from '../offline/offline-part.ts'
import { startWaiting } from '../offline/waiting.ts'
import { askAlarms, toldAlarms } from '../state/alarms.ts'
import { liveState, POLL_MS } from '../state/live-state.ts'
import { reportScreen } from './report-screen.ts'
import {
  findListed,
  forgetVersions,
  loadedLists,
  noteVersion,
  reaches,
  replaceOrder,
  rowsOf,
} from '../state/order-cache.ts'
import { addPending, dropPending, isPending } from './arrivals.ts'
import { pendingOrders } from '../state/pending-orders.ts'
import type { ListView } from '../state/list-view.ts'
import { belongsTo, toFilterQuery, viewOf } from '../state/list-view.ts'
import { presences } from './presence.ts'
import type { Order, OrderPage } from '../state/queries.ts'
import {
  detailLine,
  listLine,
  orderQuery,
  ordersQuery,
  PAGE_SIZE,
  queueQuery,
  setStanding,
} from '../state/queries.ts'

const RETRY_MS = 5_000
const LONGEST_RETRY_MS = 60_000
const AT_ONCE = 4
/** The active tab's whole lists: the newest orders tell what has arrived, those due first are what the desk shows. */
const wholeLists = [viewOf('active', { sort: 'desc' }), viewOf('active')]

/** What the device kept comes first on a page that no server gave. */
export { openKept } from '../offline/kept-desk.ts'

followKeptParts()

/** Opens the merchant's event stream; returns the function that closes it and forgets its events. */
export function openLiveDesk(queryClient: QueryClient, tmk: string): () => void {
  const desk = new LiveDesk(queryClient, tmk)
  const close = openEventStream({
    path: `/m/v2/merchant/${encodeURIComponent(tmk)}/events`,
    onEvent: ({ name, data }) => desk.take(name, data),
    onState: (state) => {
      const before = liveState.get()
      liveState.set(sinceHeard(state, before))
      // After the connection broke, nobody knows who is still there.
      if (state.kind === 'reconnecting') presences.set({ items: [] })
      if (state.kind === 'live' && before.kind === 'reconnecting') void desk.poll()
      void markLine(state.kind === 'reconnecting')
    },
    onRefused: () => void desk.poll(),
  })
  keepDesk()
  const offline = [watchLine(queryClient), startKeeping(queryClient), startWaiting(queryClient)]
  keeper.set({ sendOrKeep, keepAccepts })
  offlinePart.set(createElement(OfflineDesk))
  const endReports = reportScreen(tmk)
  const polling = setInterval(() => {
    if (liveState.get().kind !== 'live') void desk.poll()
  }, POLL_MS)
  return () => {
    close()
    for (const end of offline) end()
    endReports()
    desk.end()
    clearInterval(polling)
    pendingOrders.set([])
    presences.set({ items: [] })
    heardBefore.set(null)
  }
}

/** What a page shows that began without a line is as old as the device's record, whenever the page was opened. */
function sinceHeard(state: StreamState, before: StreamState): StreamState {
  if (state.kind === 'live') heardBefore.set(null)
  if (state.kind !== 'reconnecting') return state
  if (before.kind === 'reconnecting') return before
  return { ...state, since: heardBefore.get() ?? state.since }
}

type Told = { [Name in StreamEventName]: { name: Name; body: StreamEvents[Name] } }[StreamEventName]

/** The slice of the notes is above this one. */
const isOfNotes = (line: unknown) => typeof line === 'string' && line.endsWith('/notes')

class LiveDesk {
  private isFirst = true
  /** Whether the other lists were asked again once the stream was there. */
  private isCaughtUp = false
  private isRefused = false
  private pauseMs = RETRY_MS
  private later: ReturnType<typeof setTimeout> | undefined
  /** The highest order number on the pages asked for so far. Undefined before the first. */
  private newest: number | undefined
  private readonly queue = new Map<string, 'created' | 'updated'>()
  private running = 0
  private isOver = false
  private readonly queryClient: QueryClient
  private readonly tmk: string
  private readonly notes: FollowedNotes
  private readonly told: KeptTold
  private readonly anew: AskedAnew
  private readonly ends: readonly (() => void)[]

  constructor(queryClient: QueryClient, tmk: string) {
    this.notes = followNotes(queryClient, tmk)
    this.told = keepTold(queryClient, tmk)
    this.anew = askAnew(queryClient)
    this.ends = [
      () => this.anew.end(),
      followCounts(queryClient, tmk),
      followOlder(queryClient, (id) => this.ask(id, 'updated')),
    ]
    this.queryClient = queryClient
    this.tmk = tmk
  }

  take(name: string, data: string): void {
    if (name === 'reload') return void this.reload()
    const told = { name, body: JSON.parse(data) as unknown } as Told
    if (told.name === 'counts') this.takeCounts(told.body)
    else if (told.name === 'queue') this.takeQueue(told.body)
    else if (told.name === 'alarms') this.told.take({ alarms: told.body })
    else if (told.name === 'presence') presences.set(told.body)
    else if (told.name === 'moved') location.assign(new URL(location.pathname, told.body.to))
    else if (told.name === 'notes') {
      this.notes.refresh()
      void this.anew.ask({ predicate: ({ queryKey: [line] }) => isOfNotes(line) })
    } else if (told.name === 'order.created') this.ask(told.body.id, 'created')
    else if (told.name === 'order.updated' || told.name === 'order.taken' || told.name === 'order.picked')
      this.ask(told.body.id, 'updated')
  }

  /** Answers still under way are then ignored. */
  end(): void {
    this.isOver = true
    this.notes.end()
    this.told.end()
    for (const end of this.ends) end()
    clearTimeout(this.later)
    this.queue.clear()
    forgetVersions(this.queryClient)
  }

  /** Replaces the stream: asks for counts, alarms, and the first pages of the active tab. */
  async poll(): Promise<void> {
    const before = this.told.get()
    const [pages, alarms] = await Promise.all([this.askPages(), askAlarms(this.tmk)])
    const now = this.told.get()
    if (alarms && !this.isOver && now.alarms === before.alarms) toldAlarms.set(alarms)
    if (this.isOver) return
    if (!pages) return this.askLater()
    if (now.counts === before.counts) for (const page of pages) setStanding(this.queryClient, this.tmk, page)
    void this.queryClient.invalidateQueries({ queryKey: queueQuery(this.tmk).queryKey })
    await this.takeMissed(pages)
  }

  /** One page of each whole list. Undefined if they did not come. */
  private async askPages(): Promise<OrderPage[] | undefined> {
    const asked = wholeLists.map((view) => {
      const query = { limit: PAGE_SIZE, offset: 0, ...toFilterQuery(view) }
      return call(listLine, { params: { tmk: this.tmk }, query })
    })
    try {
      const pages = await Promise.all(asked)
      clearTimeout(this.later)
      this.pauseMs = RETRY_MS
      return pages
    } catch (error) {
      this.isRefused = isFinal(error)
      return undefined
    }
  }

  private takePages(pages: readonly OrderPage[]): void {
    const { newest } = this
    const orders = pages.flatMap(({ items }) => items)
    for (const order of orders) this.show(order, newest === undefined && this.isMissing(order))
    this.newest = Math.max(newest ?? 0, ...orders.map(({ id }) => Number(id)))
    this.askBeyond(pages)
  }

  /** Whether a loaded list lacks an order that has its place in it. */
  private isMissing(order: Order): boolean {
    return loadedLists(this.queryClient).some(
      ([view, list]) =>
        belongsTo(view, order) &&
        reaches(list.pages.at(-1), order, view) &&
        !rowsOf(list).some(({ id }) => id === order.id),
    )
  }

  /** A page of the active tab does not tell where a departed order went, and holds no history. */
  private askBeyond(pages: readonly OrderPage[]): void {
    const present = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)))
    const ends = pages.map(({ next_url, items }) => ({ next_url, last: items.at(-1) }))
    for (const order of [...listedOrders(this.queryClient), ...pendingOrders.get()]) {
      const isActive = tabOf(order.status, order.delivery.method) === 'active'
      const isInReach = isActive && wholeLists.some((view, index) => reaches(ends[index], order, view))
      if (isInReach && !present.has(order.id)) this.ask(order.id, 'updated')
    }
    for (const id of openOrderIds(this.queryClient)) this.ask(id, 'updated')
  }

  private takeQueue(queue: StreamEvents['queue']): void {
    const { queryKey } = queueQuery(this.tmk)
    const before = this.queryClient.getQueryData(queryKey)
    this.told.take({ queue })
    // No order's event tells that its time has come.
    if (before?.late === queue.late && before.soon === queue.soon) return
    const isOfClass = ({ queryKey: [line, , view] }: { queryKey: readonly unknown[] }): boolean =>
      line === listLine && (view as ListView | undefined)?.due !== undefined
    void this.anew.ask({ predicate: isOfClass })
  }

  private takeCounts({ next_deadline: _deadline, ...counts }: StreamEvents['counts']): void {
    this.told.take({ counts })
    // The first event of a stream: what happened between the lists' answers and now was told to nobody.
    if (this.isFirst) void this.catchUp()
    this.isFirst = false
  }

  private async catchUp(): Promise<void> {
    // Its counts and alarms may be older than those from the stream.
    const pages = await this.askPages()
    if (this.isOver) return
    if (pages) await this.takeMissed(pages)
    else this.askLater()
  }

  private async takeMissed(pages: readonly OrderPage[]): Promise<void> {
    // Before the other lists are asked again: an order that waits is marked when their answers bring it.
    this.takePages(pages)
    if (this.isFirst || this.isCaughtUp) return
    this.isCaughtUp = true
    const whole = wholeLists.map((view) => JSON.stringify(ordersQuery(this.tmk, view).queryKey))
    const isOther = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
      queryKey[0] === listLine && !whole.includes(JSON.stringify(queryKey))
    await this.anew.ask({ predicate: isOther })
  }

  /** Else nobody would tell what came while the stream was away. A broken stream asks by itself. */
  private askLater(): void {
    if (this.isRefused) return
    clearTimeout(this.later)
    // Screens that were cut off together do not come back together.
    const waitMs = this.pauseMs * (0.75 + Math.random() / 2)
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_RETRY_MS)
    this.later = setTimeout(() => {
      if (!this.isOver && liveState.get().kind === 'live') void this.catchUp()
    }, waitMs)
  }

  private async reload(): Promise<void> {
    forgetVersions(this.queryClient)
    await this.poll()
    if (!this.isOver) await this.anew.ask({})
  }

  private ask(id: string, event: 'created' | 'updated'): void {
    if (event === 'created' || !this.queue.has(id)) this.queue.set(id, event)
    this.work()
  }

  private work(): void {
    while (this.running < AT_ONCE && this.queue.size > 0) {
      const [next] = this.queue
      if (next === undefined) return
      const [id, event] = next
      this.queue.delete(id)
      this.running++
      void this.refresh(id, event).finally(() => {
        this.running--
        this.work()
      })
    }
  }

  private async refresh(id: string, event: 'created' | 'updated'): Promise<void> {
    const order = await call('GET /m/v2/orders/{id}', { params: { id } }).catch((error: unknown) => {
      const isRefused = error instanceof CallError && error.status < 500
      // No later event will report this change.
      if (!isRefused) setTimeout(() => this.isOver || this.ask(id, event), RETRY_MS)
      return undefined
    })
    if (!order || this.isOver) return
    this.queryClient.setQueryData(orderQuery(id).queryKey, (known) =>
      known && !(known.version > order.version) ? order : known,
    )
    this.show(order, event === 'created')
  }

  /** Replaces a known order in its place; an unknown active one waits in the bar. */
  private show(order: Order, mayBeNew: boolean): void {
    if (!noteVersion(this.queryClient, order)) return
    const isActive = tabOf(order.status, order.delivery.method) === 'active'
    if (isPending(order.id)) {
      if (isActive) addPending(order)
      else dropPending(order.id)
      if (!isListed(this.queryClient, order.id)) return
    }
    // Answers overtake each other: a change of a new order may be read before the news of its arrival.
    const isNews = mayBeNew || (this.newest !== undefined && Number(order.id) > this.newest)
    if (!isNews || !isActive || isListed(this.queryClient, order.id) || !this.isNewerThanList(order)) {
      return replaceOrder(this.queryClient, order)
    }
    addPending(order)
  }

  /** An old order that returns to active is no new order. */
  private isNewerThanList(order: Order): boolean {
    return (
      order.status === 'SUBMITTED' &&
      findListed(this.queryClient, order.id) === undefined &&
      order.printed_timestamp === null
    )
  }
}

function openOrderIds(queryClient: QueryClient): string[] {
  const open = queryClient.getQueryCache().findAll({ queryKey: [detailLine], type: 'active' })
  return open.map(({ queryKey }) => String(queryKey[1]))
}

function isListed(queryClient: QueryClient, id: string): boolean {
  return loadedLists(queryClient).some(([, data]) =>
    data.pages.some((page) => page.items.some((o) => o.id === id)),
  )
}

function listedOrders(queryClient: QueryClient): Order[] {
  return loadedLists(queryClient).flatMap(([, data]) => rowsOf(data))
}
