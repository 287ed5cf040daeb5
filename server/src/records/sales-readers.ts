import type { Clock } from '#platform/clock/clock.ts'
import type { Database, DatabaseAddress } from '#platform/db/database.ts'
import { createSideProcess, type SideProcess } from '#platform/side-process/side-process.ts'
import { stretchesOf } from './read-orders.ts'
import type { StretchToRead } from './read-program.ts'
import { inOrder, waitMs, type FoundPage, type SalesSource } from './sales-source.ts'

/** Most of a server's processors. */
const readers = 2
/** Each reads one stretch and has the next at hand, while the records of another are kept. */
const atOnce = 2 * readers

interface ReadersDeps {
  readonly db: Database
  /** Each process has a connection of its own. */
  readonly address: DatabaseAddress
  readonly clock: Clock
}

/** For a command that somebody watches: its processes read the orders too, so that no document passes through it. */
export function startSalesReaders({ db, address, clock }: ReadersDeps): SalesSource {
  const program = new URL('./read-program.ts', import.meta.url)
  const processes = Array.from({ length: readers }, () =>
    createSideProcess(program, { clock, waitMs, isAwaited: true }),
  )
  let asked = 0
  return {
    pages: ({ merchantId, period, room }) =>
      inOrder(stretchesOf(db, merchantId, period), atOnce, (stretch) =>
        (processes[asked++ % readers] as SideProcess).ask<FoundPage>({
          ...stretch,
          address,
          merchantId,
          timezone: period.timezone,
          room: room(),
        } satisfies StretchToRead),
      ),
    async stop() {
      await Promise.all(processes.map((each) => each.stop()))
    },
  }
}
