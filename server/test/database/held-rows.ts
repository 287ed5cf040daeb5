import type { DeskCalls } from '../desk.ts'

export interface HeldRows {
  /** Until so many statements wait for locks: then it is known how far the calls under way have come. */
  waiting(count: number): Promise<void>
  /** A statement of the transaction that holds the rows. */
  query(text: string, values?: readonly unknown[]): Promise<unknown[]>
  /** Commits, so that the calls under way go on. */
  release(): Promise<void>
}

const ignore = () => undefined

/** Locks rows from a connection of its own, so that a test decides which of two calls comes first. */
export async function holdRows(
  desk: Pick<DeskCalls, 'owner'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<HeldRows> {
  const client = await desk.owner.connect()
  // PostgreSQL ends the connection of a test that failed before it let the rows go.
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
      for (let found = -1; found !== count;) {
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
