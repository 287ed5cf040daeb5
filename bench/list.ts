import type { Shot } from './rig/line.ts'
import { measure, medianOf, type Measured } from './rig/load.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { startPostgres, type ServerProcess } from './rig/servers.ts'
import { say, sayMeasured } from './rig/say.ts'
import {
  copyOf,
  fewOrders,
  fillSmall,
  openField,
  settle,
  template,
  withPool,
  type Field,
} from './list/field.ts'
import { measureGrowth } from './list/growth.ts'
import {
  allTabs,
  bare,
  deepPage,
  firstPage,
  race,
  readAnew,
  searches,
  subjectsOf,
  type Figures,
  type OfBoth,
} from './list/subjects.ts'

const isQuick = process.argv.includes('--quick')
const effort = isQuick ? { rounds: 2, seconds: 1 } : { rounds: 4, seconds: 2 }
const { rounds, seconds } = effort
const merchants = isQuick ? 2 : 20
const perMerchant = 50_000
const deepOffset = isQuick ? 2_000 : 50_000

/** An order can be accepted only once, so every request takes the next order. */
async function measureAccept(
  { app, account }: Field,
  submitted: string[],
  connections: number,
): Promise<Measured> {
  const headers = { authorization: `Bearer ${account.token}` }
  const results: Measured[] = []
  for (let round = 0; round < rounds; round++) {
    const next = (): Shot => ({
      path: `/m/v2/orders/${submitted.pop() ?? '0'}`,
      method: 'PUT',
      headers,
      body: '{"status":"MERCHANT_ACCEPTED"}',
    })
    results.push(await measure({ origin: app.origin, connections, seconds: 1, next }))
  }
  return medianOf(results)
}

/** The database with one merchant's orders, and a copy of it with all the others' orders as well. */
async function fillBoth(url: string): Promise<{ small: string; large: string }> {
  await fillSmall(url)
  const large = await copyOf(url)
  say(`Filling ${merchants} more merchants with ${perMerchant} orders each…`)
  await withPool(large, async (pool) => {
    for (let shop = 0; shop < merchants; shop++) {
      await floodMerchant(pool, 'other', {
        merchantId: `shop-${shop}`,
        orders: perMerchant,
        firstNumber: 30_000_000 + shop * 1_000_000,
      })
    }
    await settle(pool)
  })
  return { small: url, large }
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const started: ServerProcess[] = []
  try {
    const urls = await fillBoth(url)
    const small = await openField(`${fewOrders} orders in one merchant`, urls.small, started)
    const large = await openField(
      `${fewOrders + merchants * perMerchant} orders over ${merchants + 1} merchants`,
      urls.large,
      started,
    )
    const subjects = {
      small: await subjectsOf(small, deepOffset),
      large: await subjectsOf(large, deepOffset),
    }
    const report = async (connections: number) => {
      const figures = await race(subjects, connections, effort)
      sayFigures(small.title, connections, figures.small)
      sayFigures(large.title, connections, figures.large)
      return figures
    }
    const alone = await report(1)
    const together = await report(10)
    const submitted = await findSubmitted(urls.small)
    for (const connections of [1, 10])
      sayMeasured(
        `accept, ${connections} connection(s)`,
        await measureAccept(small, submitted, connections),
        undefined,
      )
    sayVerdicts(alone, together)
  } finally {
    await Promise.all(started.map((running) => running.stop()))
    await postgres.stop()
  }
}

/** Without those that a rule holds, because nobody can accept them as they are. */
async function findSubmitted(url: string): Promise<string[]> {
  const { rows } = await withPool(url, (pool) =>
    pool.query<{ order_id: string }>(
      `select order_id from orders where merchant_id = $1 and status = 'SUBMITTED'
       and coalesce(json_array_length(document -> 'duties' -> 'block'), 0) = 0`,
      [template],
    ),
  )
  return rows.map((row) => row.order_id)
}

function sayFigures(title: string, connections: number, figures: Figures): void {
  say(`\n${title}, ${connections} connection(s): medians of ${rounds} interleaved rounds of ${seconds} s`)
  for (const [name, measured] of Object.entries(figures)) sayMeasured(name, measured, figures[bare])
}

/** `alone` is with one connection, `together` with ten. */
function sayVerdicts({ small, large }: OfBoth<Figures>, together: OfBoth<Figures>): void {
  const of = (figures: Figures, name: string) =>
    figures[name] ?? { perSecond: 0, p50: 0, p99: 0, failures: 0 }
  const ratio = (a: number, b: number) => (a / b).toFixed(2)
  const reference = of(together.small, bare).perSecond
  say('\nGoals')
  for (const name of [firstPage, readAnew(firstPage)])
    say(
      `  ${name}, at 10 connections over the bare reference's throughput: ${ratio(of(together.small, name).perSecond, reference)} (at least 0.70)`,
    )
  say(
    `  page at offset 50,000 over page one, both read anew, p50 at 1 connection: ${ratio(of(small, readAnew(deepPage)).p50, of(small, readAnew(allTabs)).p50)} (at most 1.20)`,
  )
  for (const name of searches)
    say(
      `  ${name}, p99 over the p50 of the first page at 1 connection: ${ratio(of(small, name).p99, of(small, firstPage).p50)}; both read anew: ${ratio(of(small, readAnew(name)).p99, of(small, readAnew(firstPage)).p50)} (at most 5.00)`,
    )
  const overMillion = (name: string) => ratio(of(large, name).p50, of(small, name).p50)
  say(
    `  first page p50 at over a million orders over that at ${fewOrders}: read anew ${overMillion(readAnew(firstPage))}, from memory ${overMillion(firstPage)} (at most 1.20)`,
  )
}

/** `--orders 10000000`: one merchant with that many orders, beside one with 100,000. */
const grown = process.argv.indexOf('--orders')
await (grown === -1 ? main() : measureGrowth(Number(process.argv[grown + 1]), isQuick))
