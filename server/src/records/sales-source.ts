import type { Database } from '#platform/db/database.ts'
import { createSideProcess, type Helping } from '#platform/side-process/side-process.ts'
import { readOrders, type ReadOrder, type RecordsOfOrder } from './read-orders.ts'
import type { Period } from './sales/period.ts'
import { mayBeSale, type FoundSales, type SalesPage } from './sales/sales-page.ts'

/** The sales of some hundred orders. */
export interface FoundPage {
  /** Of those that have any, sales or not. */
  readonly records: readonly RecordsOfOrder[]
  /** When the newest of them was submitted; undefined without orders. */
  readonly upToMs: number | undefined
  readonly found: FoundSales
}

interface Search {
  readonly merchantId: string
  readonly period: Period
  readonly room: () => SalesPage['room']
}

export interface SalesSource {
  /** Page by page, the oldest orders first. */
  pages(search: Search): AsyncIterable<FoundPage>
  stop(): Promise<void>
}

/** A page takes a hundredth of a second where the processor has time for it. */
export const waitMs = 120_000

/**
 * For a server: it reads the orders, and a process in idle time looks through them. A process in idle time with a
 * connection of its own would hold a transaction open while it waits for the processor.
 */
export function createSalesFinder(db: Database, given: Omit<Helping, 'waitMs'>): SalesSource {
  const finder = createSideProcess(new URL('./sales/sales-program.ts', import.meta.url), {
    ...given,
    waitMs,
  })
  return {
    pages: ({ merchantId, period, room }) =>
      inOrder(readOrders(db, merchantId, period), 1, async (page) => ({
        records: page.filter(hasRecords),
        upToMs: page.at(-1)?.submittedMs,
        found: await finder.ask<FoundSales>({
          timezone: period.timezone,
          orders: page.filter(mayBeSale).map(foldedOrder),
          room: room(),
        } satisfies SalesPage),
      })),
    stop: () => finder.stop(),
  }
}

/** So many answers are under way while the reader uses one. They come in the order of their questions. */
export async function* inOrder<Question, Answer>(
  questions: AsyncIterable<Question>,
  atOnce: number,
  ask: (question: Question) => Promise<Answer>,
): AsyncGenerator<Answer> {
  const underWay: Promise<Answer>[] = []
  for await (const question of questions) {
    const asked = ask(question)
    // Its failure is told when its turn comes.
    asked.catch(() => undefined)
    underWay.push(asked)
    if (underWay.length > atOnce) yield await (underWay.shift() as Promise<Answer>)
  }
  for (const asked of underWay) yield await asked
}

export function hasRecords({ events, proofs, recorded }: RecordsOfOrder): boolean {
  return events.length + proofs.length + recorded.length > 0
}

/** Without its records, which the process does not need. */
function foldedOrder({ id, submittedMs, hasLeft, document }: ReadOrder): SalesPage['orders'][number] {
  return { id, submittedMs, hasLeft, document }
}
