import pg from 'pg'
import { vi } from 'vitest'

export interface SentStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The statements of this process that the work sends and that are like these. */
export async function sentDuring(
  work: () => Promise<unknown>,
  isLike: (statement: SentStatement) => boolean,
): Promise<SentStatement[]> {
  const sent: SentStatement[] = []
  const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...parts: unknown[]
  ) {
    const [{ text, values = [] } = {}] = parts as [Partial<SentStatement> | undefined]
    if (text !== undefined && isLike({ text, values })) sent.push({ text, values })
    return send.apply(this, parts) as never
  })
  await work().finally(() => spy.mockRestore())
  return sent
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value))
}

interface Look {
  /** Of `explain`, as `analyze, buffers`. */
  readonly options?: string
  /** Statements that come before it on its connection. */
  readonly settings?: string
}

/** The plan that the server's connections keep for a statement, for all of its values. */
export async function planOf(
  owner: pg.Pool,
  { text, values }: SentStatement,
  { options = 'costs', settings = '' }: Look = {},
): Promise<string> {
  const client = await owner.connect()
  try {
    await client.query(`set plan_cache_mode = force_generic_plan; set jit = off; ${settings}`)
    await client.query(`prepare looked_at as ${text}`)
    const given = values.length === 0 ? '' : ` (${values.map(literalOf).join(', ')})`
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (${options}) execute looked_at${given}`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    client.release(true)
  }
}
