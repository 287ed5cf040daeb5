import pg from 'pg'
import type { Shot } from './rig/line.ts'
import { measure, medianOf, type Measured } from './rig/load.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { startPostgres, startProcess, type ServerProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'
import { say, sayMeasured } from './rig/say.ts'

const isQuick = process.argv.includes('--quick')
const seconds = isQuick ? 1 : 2
const rounds = isQuick ? 2 : 4
const oneMerchant = 100_000
const merchants = isQuick ? 2 : 20
const perMerchant = 50_000
const template = 'demo'
const deepOffset = isQuick ? 2_000 : 50_000

const bare = 'bare reference'
const firstPage = 'first page'
const readAnew = (name: string) => `${name}, read anew`
const allTabs = 'all tabs'
const deepPage = 'offset 50,000'
const searches = ['search by number', 'search by name', 'search by e-mail'] as const

interface Subject {
  readonly origin: string
  readonly next: () => Shot
}

type Subjects = Record<string, Subject>
type Figures = Record<string, Measured>

/** For the database with one merchant's orders, and for the one with a million more. */
interface OfBoth<T> {
  readonly small: T
  readonly large: T
}

const sizes = ['small', 'large'] as const

/**
 * Measures all of them in turn, so that the machine's other work affects all alike. A first round does not count,
 * because the code is still being compiled.
 */
async function race(subjects: OfBoth<Subjects>, connections: number): Promise<OfBoth<Figures>> {
  const turns = Object.keys(subjects.small).flatMap((name) =>
    sizes.map((size) => ({
      size,
      name,
      subject: subjects[size][name] as Subject,
      results: [] as Measured[],
    })),
  )
  for (let round = 0; round <= rounds; round++) {
    for (const { subject, results } of turns) {
      const measured = await measure({ ...subject, connections, seconds })
      if (round > 0) results.push(measured)
    }
  }
  const figuresOf = (wanted: string): Figures =>
    Object.fromEntries(
      turns.filter(({ size }) => size === wanted).map(({ name, results }) => [name, medianOf(results)]),
    )
  return { small: figuresOf('small'), large: figuresOf('large') }
}

interface Account {
  readonly merchantId: string
  readonly token: string
}

/** The server remembers pages by their whole address. A new address makes it read the page from the tables. */
function anew({ origin, next }: Subject): Subject {
  let asked = 0
  return {
    origin,
    next: () => {
      const shot = next()
      return { ...shot, headers: { ...shot.headers, host: `desk-${asked++}.example` } }
    },
  }
}

function reading(app: ServerProcess, { merchantId, token }: Account, query: string): Subject {
  const shot = {
    path: `/m/v2/merchant/${merchantId}/orders/${query}`,
    headers: { authorization: `Bearer ${token}` },
  }
  return { origin: app.origin, next: () => shot }
}

/** Follows next_url as a client does, and returns the address of the page at an offset. */
async function pageAt(app: ServerProcess, { merchantId, token }: Account, offset: number): Promise<string> {
  const base = `/m/v2/merchant/${merchantId}/orders/`
  let query = 'optimized?limit=100'
  for (let at = 0; at < offset; at += 100) {
    const reply = await fetch(`${app.origin}${base}${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { next_url: next } = (await reply.json()) as { next_url: string }
    query = next.slice(next.indexOf('optimized?'))
  }
  return query.replace('limit=100', 'limit=30')
}

interface Field {
  readonly title: string
  readonly app: ServerProcess
  readonly reference: ServerProcess
  readonly account: Account
  readonly orderIds: readonly string[]
}

async function subjectsOf({ app, reference, account, orderIds }: Field): Promise<Subjects> {
  const headers = { authorization: `Bearer ${account.token}` }
  const search = (filter: string, value: () => string): Subject => ({
    origin: app.origin,
    next: () => ({
      path: `/m/v2/merchant/${account.merchantId}/orders/optimize?limit=10&offset=0&filter[${filter}]=${encodeURIComponent(value())}`,
      headers,
    }),
  })
  const first = reading(app, account, 'optimized?filter[tab]=active')
  const found = {
    'search by number': search('search', () => anyOf(orderIds).slice(0, 6)),
    'search by name': search('recipient_name', () =>
      anyOf(['haddad', 'zoe', 'rossi', 'tanaka b', 'agard 1', 'moreau 2f']),
    ),
    'search by e-mail': search('customer_email', () =>
      anyOf(['customer1a', '@post.example', 'customerf00', 'er2b@']),
    ),
  } satisfies Record<(typeof searches)[number], Subject>
  return {
    [bare]: {
      origin: reference.origin,
      next: () => ({ path: `/page?merchant=${account.merchantId}&tab=active` }),
    },
    [firstPage]: first,
    ...found,
    [readAnew(firstPage)]: anew(first),
    ...Object.fromEntries(searches.map((name) => [readAnew(name), anew(found[name])])),
    [readAnew(allTabs)]: anew(reading(app, account, 'optimized')),
    [readAnew(deepPage)]: anew(reading(app, account, await pageAt(app, account, deepOffset))),
    'one order': { origin: app.origin, next: () => ({ path: `/m/v2/orders/${anyOf(orderIds)}`, headers }) },
  }
}

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

function anyOf(values: readonly string[]): string {
  return values[Math.floor(Math.random() * values.length)] ?? ''
}

/** Finishes the database's work from the filling, so that it does not count. */
async function settle(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}

async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c statement_timeout=0' })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** The database with one merchant's orders, and a copy of it with all the others' orders as well. */
async function fillBoth(url: string): Promise<{ small: string; large: string }> {
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  await app.stop()
  say(`Filling one merchant with ${oneMerchant} orders…`)
  await withPool(url, async (pool) => {
    await floodMerchant(pool, template, {
      merchantId: template,
      orders: oneMerchant,
      firstNumber: 20_000_000,
    })
    await settle(pool)
  })
  const large = new URL(url)
  const small = large.pathname.slice(1)
  large.pathname = '/large'
  const anyOther = new URL(url)
  anyOther.pathname = '/template1'
  await withPool(anyOther.href, (pool) => pool.query(`create database large template ${small}`))
  say(`Filling ${merchants} more merchants with ${perMerchant} orders each…`)
  await withPool(large.href, async (pool) => {
    for (let shop = 0; shop < merchants; shop++) {
      await floodMerchant(pool, 'other', {
        merchantId: `shop-${shop}`,
        orders: perMerchant,
        firstNumber: 30_000_000 + shop * 1_000_000,
      })
    }
    await settle(pool)
  })
  return { small: url, large: large.href }
}

async function openField(title: string, url: string, started: ServerProcess[]): Promise<Field> {
  const start = async (file: string, path: string) => {
    const running = await startProcess(file, { DATABASE_URL: url, DEMO: '1' }, path)
    started.push(running)
    return running
  }
  const app = await start('server/src/main.ts', '/readyz')
  const reference = await start('bench/rig/reference-server.ts', '/page?merchant=none&tab=active')
  const account = { merchantId: template, token: await signIn(app.origin, 'owner@demo.test') }
  const { rows } = await withPool(url, (pool) =>
    pool.query<{ order_id: string }>('select order_id from orders where merchant_id = $1', [template]),
  )
  return { title, app, reference, account, orderIds: rows.map((row) => row.order_id) }
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const started: ServerProcess[] = []
  try {
    const urls = await fillBoth(url)
    const small = await openField(`${oneMerchant} orders in one merchant`, urls.small, started)
    const large = await openField(
      `${oneMerchant + merchants * perMerchant} orders over ${merchants + 1} merchants`,
      urls.large,
      started,
    )
    const subjects = { small: await subjectsOf(small), large: await subjectsOf(large) }
    const report = async (connections: number) => {
      const figures = await race(subjects, connections)
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

async function findSubmitted(url: string): Promise<string[]> {
  const { rows } = await withPool(url, (pool) =>
    pool.query<{ order_id: string }>(
      "select order_id from orders where merchant_id = $1 and status = 'SUBMITTED'",
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
    `  first page p50 at over a million orders over that at ${oneMerchant}: read anew ${overMillion(readAnew(firstPage))}, from memory ${overMillion(firstPage)} (at most 1.20)`,
  )
}

await main()
