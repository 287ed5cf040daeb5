import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import pg from 'pg'
import { anOrder } from '../server/test/orders.ts'
import { findChromium } from '../scripts/chromium.mjs'
import { median } from './rig/load.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess, type ServerProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

const isQuick = process.argv.includes('--quick')
const quietStreams = 200
/** A merchant has at most a thousand, and one of them is the browser that this measures. */
const manyStreams = 990
/** Of one person the server keeps forty. */
const people = 26
const orders = isQuick ? 40 : 200
const pauseMs = 150
const goalMs = 60
const goalMegabytes = 400

/** Notes when an order's number first appears in the painted page, by the browser's own clock. */
async function watchForNumbers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Record<string, number> = {}
    Object.assign(globalThis, { seen })
    const look = () => {
      for (const match of document.body.innerText.matchAll(/#(\d{7,})/g)) {
        const number = match[1] ?? ''
        if (seen[number] === undefined)
          requestAnimationFrame(() => (seen[number] ??= performance.timeOrigin + performance.now()))
      }
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}

/** Streams that discard their events, so that this process does not affect the measurement. */
class Listeners {
  private readonly close: (() => void)[] = []
  readonly origin: string
  readonly tokens: readonly string[]

  constructor(origin: string, tokens: readonly string[]) {
    this.origin = origin
    this.tokens = tokens
  }

  async growTo(count: number): Promise<void> {
    while (this.close.length < count) {
      const from = this.close.length
      const some = Math.min(50, count - from)
      await Promise.all(Array.from({ length: some }, (_, ahead) => this.open(from + ahead)))
    }
  }

  private open(place: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.tokens[place % this.tokens.length]}` }
      const stream = request(
        `${this.origin}/m/v2/merchant/demo/events`,
        { headers, agent: false },
        (response) => {
          if (response.statusCode !== 200) reject(new Error(`A stream answered ${response.statusCode}`))
          response.resume()
          response.on('error', () => undefined)
          response.once('data', () => resolve())
        },
      )
      this.close.push(() => stream.destroy())
      stream.on('error', reject)
      stream.end()
    })
  }

  end(): void {
    for (const close of this.close) close()
  }
}

async function sendOrder(origin: string): Promise<{ id: string; answeredAt: number }> {
  const reply = await fetch(`${origin}/marketplace/v1/orders`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}`,
    },
    body: JSON.stringify(anOrder('demo')),
  })
  // The head is the answer: reading the body takes its own time in this process.
  const answeredAt = performance.timeOrigin + performance.now()
  const { id } = (await reply.json()) as { id: string }
  return { id, answeredAt }
}

async function measurePainting(page: Page, origin: string): Promise<number[]> {
  const delays: number[] = []
  for (let sent = 0; sent < orders; sent++) {
    const { id, answeredAt } = await sendOrder(origin)
    const seen = await page.waitForFunction(
      (number) => (globalThis as unknown as { seen: Record<string, number> }).seen[number],
      id,
      { polling: 20 },
    )
    delays.push(Number(await seen.jsonValue()) - answeredAt)
    if (sent % 3 === 2) await page.getByRole('button', { name: 'Show' }).click()
    await sleep(pauseMs)
  }
  return delays.toSorted((a, b) => a - b)
}

/** The owner's colleagues, one after the other: sign-ins from one place at once wait for a turn. */
async function signInMany(origin: string, url: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await pool.query(
    `insert into users (user_id, merchant_id, email, email_key, first_name, last_name, password_hash, roles)
     select 'bench-' || n, merchant_id, 'bench-' || n || '@demo.test', 'bench-' || n || '@demo.test', first_name, last_name, password_hash, roles
     from users, generate_series(1, $1::int) n where email = 'owner@demo.test'`,
    [people],
  )
  await pool.end()
  const tokens: string[] = []
  for (let person = 1; person <= people; person++)
    tokens.push(await signIn(origin, `bench-${person}@demo.test`))
  return tokens
}

/** Resident memory of a process, in MB; where the system does not tell, undefined. */
function memoryOf({ process: { pid } }: ServerProcess): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
  } catch {
    return undefined
  }
}

const megabytes = (value: number | undefined) => (value === undefined ? 'unknown' : `${value.toFixed(0)} MB`)
const verdict = (isMet: boolean) => (isMet ? 'met' : 'NOT MET')

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const listeners = new Listeners(app.origin, await signInMany(app.origin, url))
  try {
    await listeners.growTo(quietStreams)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${app.origin}/login`)
    await page.getByLabel('Email').fill('member@demo.test')
    await page.getByLabel('Password', { exact: true }).fill('cellarhand-demo')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('row').nth(3).waitFor()
    await sleep(3_000)
    await watchForNumbers(page)
    const delays = await measurePainting(page, app.origin)
    const p99 = delays[Math.ceil(delays.length * 0.99) - 1] ?? 0
    say(
      `from the marketplace's 201 to painted in a signed-in browser, ${orders} orders, ${quietStreams} other open streams:`,
    )
    say(
      `  median ${median(delays).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, slowest ${(delays.at(-1) ?? 0).toFixed(0)} ms (goal: p99 at most ${goalMs} ms: ${verdict(p99 <= goalMs)})`,
    )
    await browser.close()

    const before = memoryOf(app)
    await listeners.growTo(manyStreams)
    for (let sent = 0; sent < orders; sent++) await sendOrder(app.origin)
    await sleep(5_000)
    const after = memoryOf(app)
    say(`memory of the server process, after ${orders} further orders told to every stream:`)
    say(
      `  ${megabytes(before)} at ${quietStreams} streams, ${megabytes(after)} at ${manyStreams} (goal: under ${goalMegabytes} MB: ${verdict(after !== undefined && after < goalMegabytes)})`,
    )
  } finally {
    listeners.end()
    await browser.close()
    await app.stop()
    await postgres.stop()
  }
}

await main()
