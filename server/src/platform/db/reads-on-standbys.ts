import type pg from 'pg'
import type { Clock } from '../clock/clock.ts'
import { glanceAt, preparedOn, readOn, type Database } from './database.ts'
import { isOfDatabase } from './database-errors.ts'
import { NotThere, openStandby, type ReadAsked, type Standby } from './standby.ts'
import { createPositionOf } from './wal-position.ts'

interface StandbyReads {
  readonly clock: Clock
  /** One address for each standby. */
  readonly urls: readonly string[]
  /** Told when a standby, counted from 1, goes out of use, with the reason, or comes back, without one. */
  readonly onTurn: (standby: number, awayBecause: string | undefined) => void
}

/**
 * The same database, whose views, glances and long looks go to its standbys. Before each of them the primary says how far its log
 * is, and a standby answers once it has replayed that far: so an answer is never older than one from the primary would
 * be, whichever process asks, and whichever answer the reader had before. A standby that is behind is passed over; one
 * that fails costs a second try, on the primary (decision 0065).
 */
export function readOnStandbys(primary: Database, { clock, urls, onTurn }: StandbyReads): Database {
  const positionOf = createPositionOf(primary)
  const askCluster = async () => {
    const [row] = await primary.systemQuery<{ cluster: string }>(
      'select system_identifier::text as cluster from pg_control_system()',
    )
    return row?.cluster
  }
  const standbys = urls.map((url, index) =>
    openStandby(
      { url },
      { clock, pace: primary.pace, askCluster, onTurn: (reason) => onTurn(index + 1, reason) },
    ),
  )
  let turn = 0
  let onPrimary = 0

  function inTurn(): Standby[] {
    turn = (turn + 1) % standbys.length
    return [...standbys.slice(turn), ...standbys.slice(0, turn)]
  }

  async function look<T>(asked: Look<T>): Promise<T> {
    // Without a position the primary is away, or no primary: what it answers is what the caller would get anyway.
    const isWorthIt = standbys.some((standby) => standby.isInUse())
    const position = isWorthIt ? await positionOf().catch(() => undefined) : undefined
    for (const standby of inTurn()) {
      if (position === undefined || !standby.mayServe(position)) continue
      const outcome = await tryOn(standby, { ...asked, position })
      if (outcome === 'failed') break
      if (outcome !== 'not there') return outcome.answer
    }
    onPrimary++
    return asked.here()
  }

  /** The connection goes back with the answer. */
  const askOn = async <T>(client: pg.PoolClient, text: string, values: readonly unknown[]) =>
    preparedOn(client, clock)
      .query<T>(text, values)
      .finally(() => client.release())
  const glanceOn =
    <T>(merchantId: string, body: string, values: readonly unknown[] = []) =>
    async (client: pg.PoolClient) =>
      askOn<T>(client, glanceAt(body), [merchantId, ...values])

  return {
    ...primary,
    view: async (merchantId, work) =>
      look({
        merchantId,
        isLong: false,
        there: async (client) => readOn({ client, clock }, merchantId, work),
        here: async () => primary.view(merchantId, work),
      }),
    glance: async <T>(merchantId: string, body: string, values?: readonly unknown[]) =>
      look({
        merchantId,
        isLong: false,
        there: glanceOn<T>(merchantId, body, values),
        here: async () => primary.glance<T>(merchantId, body, values),
      }),
    longLook: async <T>(merchantId: string, body: string, values?: readonly unknown[]) =>
      look({
        merchantId,
        isLong: true,
        there: glanceOn<T>(merchantId, body, values),
        here: async () => primary.longLook<T>(merchantId, body, values),
      }),
    systemView: async <T>(text: string, values: readonly unknown[] = []) =>
      look({
        merchantId: undefined,
        isLong: false,
        there: async (client) => askOn<T>(client, text, values),
        here: async () => primary.systemView<T>(text, values),
      }),
    waiting: () => standbys.reduce((sum, standby) => sum + standby.waiting(), primary.waiting()),
    readsByPlace: () => ({ primary: onPrimary, standbys: standbys.map((standby) => standby.figures()) }),
    async close() {
      await Promise.all(standbys.map((standby) => standby.close()))
      await primary.close()
    },
  }
}

/** Refusals of our own code are thrown on. */
async function tryOn<T>(
  standby: Standby,
  asked: Look<T> & ReadAsked,
): Promise<{ readonly answer: T } | 'not there' | 'failed'> {
  try {
    return { answer: await standby.run(asked, asked.there) }
  } catch (error) {
    if (error instanceof NotThere) return 'not there'
    if (!isOfDatabase(error)) throw error
    standby.countFailure()
    return 'failed'
  }
}

interface Look<T> {
  readonly merchantId: string | undefined
  readonly isLong: boolean
  /** On a connection to a standby, which it gives back. */
  readonly there: (client: pg.PoolClient) => Promise<T>
  readonly here: () => Promise<T>
}
