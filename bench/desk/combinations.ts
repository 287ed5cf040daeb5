import { performance } from 'node:perf_hooks'
import { tabs } from '@cellarhand/contract/order-statuses'
import type { OrderPage } from '@cellarhand/contract/orders'
import { openLine } from '../rig/line.ts'
import { quantile } from '../rig/load.ts'
import { say } from '../rig/say.ts'

interface Account {
  readonly origin: string
  readonly merchantId: string
  readonly token: string
}

const plain = 'filter[tab]=active'
/** The number of combinations between two plain first pages. */
const plainEvery = 4

/** Every tab alone and with each filter that it offers, in each sort. */
async function combinationsOf({ origin, merchantId, token }: Account): Promise<string[]> {
  const found: string[] = []
  for (const tab of tabs) {
    const reply = await fetch(
      `${origin}/m/v2/merchant/${merchantId}/orders/optimized?filter[tab]=${tab}&limit=1`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    )
    const { available } = ((await reply.json()) as OrderPage).filters
    const groups = available.status.options.map(({ value }) => value)
    const filters = [
      '',
      ...available.application_ref.options.map(
        ({ uuid }) => `&filter[application_ref]=${encodeURIComponent(uuid)}`,
      ),
      ...groups.map((value) => `&filter[status]=${value}`),
      ...(groups.length > 1 ? [`&filter[status]=${groups.slice(0, 2).join(',')}`] : []),
      ...(available.delivery_method?.options ?? []).map(({ value }) => `&filter[delivery_method]=${value}`),
    ]
    for (const filter of filters)
      for (const sort of ['', '&sort[date]=asc', '&sort[date]=desc'])
        found.push(`filter[tab]=${tab}${filter}${sort}`)
  }
  return found
}

/** Measures one request at a time, mixed with the plain first page; prints the slowest, and how many miss the goal. */
export async function measureCombinations(account: Account, title: string, rounds: number): Promise<void> {
  const line = await openLine(account.origin)
  const times = new Map<string, number[]>()
  let failures = 0
  const ask = async (name: string, query: string): Promise<void> => {
    const sent = performance.now()
    const status = await line.shoot({
      path: `/m/v2/merchant/${account.merchantId}/orders/optimized?${query}`,
      headers: { authorization: `Bearer ${account.token}` },
    })
    if (status >= 400) failures++
    const known = times.get(name) ?? []
    times.set(name, known)
    known.push(performance.now() - sent)
  }
  const combinations = await combinationsOf(account)
  // The first round prepares the statements and does not count.
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) times.clear()
    for (const [index, query] of shuffled(combinations).entries()) {
      if (index % plainEvery === 0) await ask('plain', plain)
      await ask(query, query)
    }
  }
  line.close()
  const of = (name: string, q: number) =>
    quantile(
      (times.get(name) ?? []).toSorted((a, b) => a - b),
      q,
    )
  const base = { p50: of('plain', 0.5), p99: of('plain', 0.99) }
  const ranked = combinations
    .map((query) => ({ query, p50: of(query, 0.5), p99: of(query, 0.99) }))
    .toSorted((a, b) => b.p99 - a.p99)
  say(
    `\n${title}: ${combinations.length} combinations of tab, one filter and sort, ${rounds} rounds${failures > 0 ? `, ${failures} FAILED` : ''}`,
  )
  say(`  plain first page            p50 ${base.p50.toFixed(2)} ms  p99 ${base.p99.toFixed(2)} ms`)
  for (const { query, p50, p99 } of ranked.slice(0, 5))
    say(
      `  slowest: ${query.padEnd(72)} p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  x${(p99 / base.p99).toFixed(2)}`,
    )
  const [slowest] = ranked.toSorted((a, b) => b.p50 - a.p50)
  const missed = ranked.filter(({ p99 }) => p99 > 3 * base.p99).length
  say(`  over 3 times the plain first page's p99: ${missed} of ${ranked.length} (goal: 0)`)
  if (slowest !== undefined)
    say(
      `  slowest median: ${slowest.query.padEnd(65)} p50 ${slowest.p50.toFixed(2)} ms  x${(slowest.p50 / base.p50).toFixed(2)}`,
    )
}

/** A different order each round, so that regular events such as garbage collections hit all of them alike. */
function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
