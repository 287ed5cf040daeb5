import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { anOrder } from '../../server/test/orders.ts'
import { marketplace } from '../rig/fair-attacks.ts'
import { openLine, type Line } from '../rig/line.ts'
import { floodMerchant } from '../rig/many-orders.ts'
import { say, sayMeasured } from '../rig/say.ts'
import { startPostgres, type ServerProcess } from '../rig/servers.ts'
import {
  copyOf,
  fewOrders,
  fillSmall,
  firstNumber,
  openField,
  settle,
  template,
  withPool,
  type Field,
} from './field.ts'
import {
  anew,
  bare,
  firstPage,
  race,
  readAnew,
  reading,
  subjectsOf,
  type Effort,
  type Figures,
  type OfBoth,
  type Subjects,
} from './subjects.ts'

const writesPerSecond = 200
const writers = 8
const flat = 1.2
const counts = 'counts'
const dueFirst = 'due first'
const dueFilters = [
  'filter[due]=late',
  'filter[due]=soon',
  'filter[due]=late&filter[delivery_method]=scheduled',
]
/** An index leads to them, so they may not grow with the orders. */
const mustStayFlat = (name: string) => name !== bare && !isTextSearch(name)
const isTextSearch = (name: string) =>
  name.startsWith('search by name') || name.startsWith('search by e-mail')

/** One merchant with very many orders, beside one with 100,000: alone, at ten connections, and beside writing. */
export async function measureGrowth(orders: number, isQuick: boolean): Promise<void> {
  if (!Number.isSafeInteger(orders) || orders <= fewOrders)
    throw new Error(`--orders takes a number above ${fewOrders}, such as 10000000.`)
  const effort = isQuick ? { rounds: 2, seconds: 1 } : { rounds: 4, seconds: 2 }
  const { postgres, url } = await startPostgres()
  const started: ServerProcess[] = []
  try {
    const urls = await fillBoth(url, orders)
    const fields = {
      small: await openField(`${fewOrders} orders`, urls.small, started),
      large: await openField(`${orders} orders`, urls.large, started),
    }
    await compare(fields, effort)
  } finally {
    await Promise.all(started.map((running) => running.stop()))
    await postgres.stop()
  }
}

async function compare(fields: OfBoth<Field>, effort: Effort): Promise<void> {
  const subjects = {
    small: await subjectsOfGrowth(fields.small),
    large: await subjectsOfGrowth(fields.large),
  }
  const report = async (title: string, connections: number, beside?: Effort['beside']) => {
    const figures = await race(subjects, connections, beside === undefined ? effort : { ...effort, beside })
    for (const size of ['small', 'large'] as const) {
      say(`\n${fields[size].title}, ${title}`)
      for (const [name, measured] of Object.entries(figures[size]))
        sayMeasured(name, measured, figures[size][bare])
    }
    sayGrowth(title, figures)
  }
  await report('1 connection', 1)
  await report('10 connections', 10)
  const written = { orders: 0, refused: 0, seconds: 0 }
  await report(`1 connection, beside ${writesPerSecond} new orders a second`, 1, (size) =>
    startWriting(fields[size].app.origin, written),
  )
  say(`\n${(written.orders / written.seconds).toFixed(0)} new orders a second, ${written.refused} refused`)
}

async function subjectsOfGrowth(field: Field): Promise<Subjects> {
  const of = (query: string) => reading(field.app, field.account, query)
  return {
    ...(await subjectsOf(field, 50_000)),
    [readAnew(dueFirst)]: anew(of('optimized?filter[tab]=active&sort[due]=asc')),
    ...Object.fromEntries(
      dueFilters.map((filter) => [
        readAnew(filter),
        anew(of(`optimized?filter[tab]=active&sort[due]=asc&${filter}`)),
      ]),
    ),
    [readAnew(counts)]: anew(of('count')),
  }
}

function sayGrowth(title: string, { small, large }: OfBoth<Figures>): void {
  say(`\nMany orders over few, ${title}`)
  const page = small[readAnew(firstPage)]?.p50 ?? 0
  for (const [name, { p50, p99 }] of Object.entries(large)) {
    const few = small[name]?.p50 ?? 0
    if (mustStayFlat(name)) say(`  ${name}: p50 ${(p50 / few).toFixed(2)} (at most ${flat.toFixed(2)})`)
    else if (isTextSearch(name))
      say(
        `  ${name}: p99 ${p99.toFixed(1)} ms, ${(p99 / page).toFixed(1)} times the p50 of few orders' first page`,
      )
  }
}

interface Written {
  orders: number
  refused: number
  seconds: number
}

/** New orders of the same merchant at a fixed rate, until it is told to stop. */
async function startWriting(origin: string, written: Written): Promise<() => Promise<void>> {
  const lines = await Promise.all(Array.from({ length: writers }, () => openLine(origin)))
  const start = performance.now()
  let begun = 0
  let isOver = false
  const worker = async (line: Line) => {
    while (!isOver) {
      const wait = start + (begun++ * 1000) / writesPerSecond - performance.now()
      if (wait > 0) await sleep(wait)
      const status = await line.shoot({
        method: 'POST',
        path: '/marketplace/v1/orders',
        headers: marketplace,
        body: JSON.stringify(anOrder(template)),
      })
      written.orders++
      if (status >= 400) written.refused++
    }
    line.close()
  }
  const working = Promise.all(lines.map(worker))
  // A failure is told by the stop.
  working.catch(() => undefined)
  return async () => {
    isOver = true
    await working
    written.seconds += (performance.now() - start) / 1000
  }
}

/** A database with few orders, and a copy of it that grows. */
async function fillBoth(url: string, orders: number): Promise<OfBoth<string>> {
  await fillSmall(url)
  const large = await copyOf(url)
  await withPool(large, async (pool) => {
    const restore = await dropIndexes(pool)
    await floodMerchant(pool, template, {
      merchantId: template,
      orders: orders - fewOrders,
      firstNumber: firstNumber + fewOrders,
      onProgress: (done) => say(`  ${fewOrders + done} of ${orders} orders`),
    })
    await restore()
    await settle(pool)
  })
  return { small: url, large }
}

/** An index that is built once over all rows takes a third of the time of one that follows each row. */
async function dropIndexes(pool: pg.Pool): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in ('orders'::regclass, 'order_search'::regclass) and not indisunique`,
  )
  for (const { name } of rows) await pool.query(`drop index ${name}`)
  return async () => {
    for (const { name, definition } of rows) {
      say(`  Building ${name}…`)
      await pool.query(definition)
    }
  }
}
