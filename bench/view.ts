import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { anOrder } from '../server/test/orders.ts'
import { median } from './rig/load.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'

const orders = Number(process.argv[2] ?? '20')

interface Probe {
  pressedAt: number
  painted: Record<string, number>
}

/** Notes, by the browser's own clock, a press and when words first appear in the painted page after it. */
function installProbe(words: readonly string[]): void {
  const probe: Probe = { pressedAt: 0, painted: {} }
  Object.assign(globalThis, { probe })
  const look = () => {
    const text = document.getElementById('root')?.textContent ?? ''
    for (const word of words) {
      if (probe.pressedAt > 0 && probe.painted[word] === undefined && text.includes(word))
        requestAnimationFrame(() => (probe.painted[word] ??= performance.now()))
    }
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
  addEventListener(
    'click',
    (event) => Object.assign(probe, { pressedAt: event.timeStamp, painted: {} }),
    true,
  )
}

/** Milliseconds from the last press to each of the words. */
async function sincePress(page: Page, words: readonly string[]): Promise<number[]> {
  await page.waitForFunction(
    (wanted) =>
      wanted.every((word) => (globalThis as unknown as { probe: Probe }).probe.painted[word] !== undefined),
    words,
    { polling: 20 },
  )
  const { pressedAt, painted } = await page.evaluate(() => (globalThis as unknown as { probe: Probe }).probe)
  return words.map((word) => (painted[word] ?? Number.NaN) - pressedAt)
}

async function sendOrder(origin: string): Promise<string> {
  const reply = await fetch(`${origin}/marketplace/v1/orders`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}`,
    },
    body: JSON.stringify(anOrder('demo')),
  })
  return ((await reply.json()) as { id: string }).id
}

function sayTimes(what: string, times: readonly number[], goal: string): void {
  say(
    `  ${what.padEnd(46)} median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms${goal}`,
  )
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const goal = ' (goal: 100 ms)'
  try {
    const sent: string[] = []
    for (let each = 0; each < orders; each++) sent.push(await sendOrder(app.origin))
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript(installProbe, ['Options', 'Add Tracking', 'Accepted by'])
    await page.goto(`${app.origin}/login`)
    await page.getByLabel('Email').fill('member@demo.test')
    await page.getByLabel('Password', { exact: true }).fill('cellarhand-demo')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('row').nth(3).waitFor()
    // The page fetches the parts for the next press once it has settled.
    await sleep(4_000)
    const opened: number[] = []
    const accepted: number[] = []
    const merged: number[] = []
    for (const id of sent.toReversed()) {
      await page.getByRole('link', { name: `#${id}`, exact: true }).click()
      opened.push(...(await sincePress(page, ['Options'])))
      await page.getByRole('button', { name: 'Accept' }).first().click()
      await page.getByRole('button', { name: 'ACCEPT', exact: true }).click()
      const [paintedAt, mergedAt] = await sincePress(page, ['Add Tracking', 'Accepted by'])
      accepted.push(paintedAt ?? Number.NaN)
      merged.push(mergedAt ?? Number.NaN)
      await page.goBack()
      await page.getByRole('row').nth(3).waitFor()
    }
    say(`in a signed-in browser, ${orders} orders:`)
    sayTimes('from a list row to its products painted', opened, goal)
    sayTimes('from ACCEPT to the accepted order painted', accepted, goal)
    sayTimes("from ACCEPT to the server's answer painted", merged, '')
  } finally {
    await browser.close()
    await app.stop()
    await postgres.stop()
  }
}

await main()
