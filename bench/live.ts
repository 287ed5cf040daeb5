import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { anOrder } from '../server/test/orders.ts'
import { findChromium } from '../scripts/chromium.mjs'
import { median } from './rig/load.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

const quietStreams = Number(process.argv[2] ?? '200')
const orders = 40
const pauseMs = 400

/** Notes when an order's number first stands in the painted page, by the browser's own clock. */
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

async function openStreams(origin: string, token: string, count: number): Promise<AbortController> {
  const controller = new AbortController()
  await Promise.all(
    Array.from({ length: count }, async () => {
      const reply = await fetch(`${origin}/m/v2/merchant/demo/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: controller.signal,
      })
      reply.body?.pipeTo(new WritableStream()).catch(() => undefined)
    }),
  )
  return controller
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
  const { id } = (await reply.json()) as { id: string }
  return { id, answeredAt: performance.timeOrigin + performance.now() }
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const streams = await openStreams(app.origin, await signIn(app.origin, 'owner@demo.test'), quietStreams)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${app.origin}/login`)
    await page.getByLabel('Email').fill('member@demo.test')
    await page.getByLabel('Password', { exact: true }).fill('cellarhand-demo')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('row').nth(3).waitFor()
    await sleep(1_000)
    await watchForNumbers(page)

    const delays: number[] = []
    for (let sent = 0; sent < orders; sent++) {
      const { id, answeredAt } = await sendOrder(app.origin)
      await page.waitForFunction(
        (number) => (globalThis as unknown as { seen: Record<string, number> }).seen[number] !== undefined,
        id,
        { polling: 20 },
      )
      const paintedAt = await page.evaluate(
        (number) => (globalThis as unknown as { seen: Record<string, number> }).seen[number] ?? 0,
        id,
      )
      delays.push(paintedAt - answeredAt)
      if (sent % 3 === 2) await page.getByRole('button', { name: 'Show' }).click()
      await sleep(pauseMs)
    }
    delays.sort((a, b) => a - b)
    say(
      `from the marketplace's 201 to painted in a signed-in browser, ${orders} orders, ${quietStreams} other open streams:`,
    )
    say(
      `  median ${median(delays).toFixed(0)} ms, slowest ${(delays.at(-1) ?? 0).toFixed(0)} ms (goal: 300 ms)`,
    )
    streams.abort()
  } finally {
    await browser.close()
    await app.stop()
    await postgres.stop()
  }
}

await main()
