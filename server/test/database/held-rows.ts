import { setTimeout as sleep } from 'node:timers/promises'
import type { DeskCalls } from '../desk.ts'

export interface HeldRows {
  /** Resolves when so many statements wait for locks, which shows how far the calls under way have come. */
  waiting(count: number): Promise<void>
  /** A statement of the transaction that holds the rows. */
  query(text: string, values?: readonly unknown[]): Promise<unknown[]>
  /** Commits, so that the calls under way continue. */
  release(): Promise<void>
}

const ignore = () => undefined

/** Locks rows from a separate connection, so that a test decides which of two calls comes first. */
export async function holdRows(
  desk: Pick<DeskCalls, 'owner'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<HeldRows> {
  const client = await desk.owner.connect()
  // When a test fails before it releases the rows, PostgreSQL ends this connection.
  client.on('error', ignore)
  const query = async (sql: string, bound: readonly unknown[] = []) =>
    (await client.query(sql, [...bound])).rows as unknown[]
  await query('begin')
  const held = await query(text, values)
  if (held.length === 0) {
    client.release(true)
    throw new Error(`There is no row to hold: ${text}`)
  }
  return {
    query,
    async waiting(count) {
      for (let found = 0; found < count; await sleep(10)) {
        const { rows } = await desk.owner.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        found = rows.length
      }
    },
    async release() {
      await query('commit')
      client.off('error', ignore)
      client.release()
    },
  }
}
