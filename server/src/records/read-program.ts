import { systemClock } from '#platform/clock/system-clock.ts'
import { openDatabase, type Database, type DatabaseAddress } from '#platform/db/database.ts'
import { answerQuestions } from '#platform/side-process/answer.ts'
import { readStretch, type Stretch } from './read-orders.ts'
import { hasRecords, type FoundPage } from './sales-source.ts'
import { findSales, mayBeSale, type SalesPage } from './sales/sales-page.ts'

export interface StretchToRead extends Stretch, Pick<SalesPage, 'timezone' | 'room'> {
  readonly address: DatabaseAddress
  readonly merchantId: string
}

let db: Database | undefined

answerQuestions(
  async ({ address, merchantId, timezone, room, ...stretch }: StretchToRead): Promise<FoundPage> => {
    db ??= openDatabase(address, {
      clock: systemClock,
      onIdleError: () => undefined,
      limits: { app: 1, system: 1 },
    })
    const orders = await db.view(merchantId, (statements) => readStretch(statements, merchantId, stretch))
    return {
      records: orders
        .filter(hasRecords)
        .map(({ id, events, proofs, recorded }) => ({ id, events, proofs, recorded })),
      upToMs: orders.at(-1)?.submittedMs,
      found: findSales({ timezone, room, orders: orders.filter(mayBeSale) }),
    }
  },
)
