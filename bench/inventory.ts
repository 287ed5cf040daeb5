import { performance } from 'node:perf_hooks'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { median } from './rig/load.ts'
import { say } from './rig/say.ts'
import { fillShelves } from './rig/shelves.ts'
import { startPostgres, startProcess } from './rig/servers.ts'

const offerings = Number(process.argv[2] ?? '5000')
const rounds = 7
const wheels = 60

/** From the answer's last byte to the first painted frame with rows, by the browser's own clock. */
async function timeToRows(page: Page): Promise<number> {
  await page.reload()
  await page.getByRole('table', { name: 'Inventory' }).waitFor()
  return page.evaluate(() => {
    const [answer] = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/offerings')) as PerformanceResourceTiming[]
    const { shownAt } = globalThis as unknown as { shownAt: number }
    return shownAt - (answer?.responseEnd ?? 0)
  })
}

/** The work of the page's main thread for it, without the machine's other work. */
async function workOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () =>
    (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')
      ?.value ?? 0
  const before = await worked()
  await act()
  const after = await worked()
  await client.detach()
  return (after - before) * 1000
}

/** From a field's change to the second frame after it, which shows the result. */
async function timeChange(page: Page, change: { selector: string; value: string }): Promise<number> {
  return page.evaluate(async ({ selector, value }) => {
    const field = document.querySelector<HTMLInputElement | HTMLSelectElement>(selector)
    if (field === null) throw new Error(`${selector} is not there`)
    const firstRow = () => document.querySelector('tbody tr[data-index="0"]')?.textContent
    const before = firstRow()
    const kind = field instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement
    const began = performance.now()
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event(kind === HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
    while (firstRow() === before && performance.now() - began < 5_000)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - began
  }, change)
}

/** The longest frames while the list scrolls from top to end. */
async function scrollThrough(page: Page): Promise<{ frames: number; slow: number; longest: number }> {
  return page.evaluate(async (steps) => {
    const box = document.querySelector('[aria-label="Stock list"]')
    if (box === null) throw new Error('There is no list')
    const gaps: number[] = []
    let last = performance.now()
    for (let step = 0; step <= steps; step++) {
      box.scrollTop = ((box.scrollHeight - box.clientHeight) * step) / steps
      await new Promise((resolve) => requestAnimationFrame(resolve))
      gaps.push(performance.now() - last)
      last = performance.now()
    }
    return { frames: gaps.length, slow: gaps.filter((gap) => gap > 50).length, longest: Math.max(...gaps) }
  }, wheels)
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const began = performance.now()
    await fillShelves(url, { merchantKey: 'demo', offerings })
    say(`${offerings} offerings imported in ${((performance.now() - began) / 1000).toFixed(1)} s`)

    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (document.querySelector('tbody tr[data-index]') === null) return
        observer.disconnect()
        requestAnimationFrame(() =>
          setTimeout(() => Object.assign(globalThis, { shownAt: performance.now() })),
        )
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(`${app.origin}/login`)
    await page.getByLabel('Email').fill('member@demo.test')
    await page.getByLabel('Password', { exact: true }).fill('cellarhand-demo')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('row').nth(3).waitFor()
    await page.goto(`${app.origin}/inventory`)
    await page.getByRole('table', { name: 'Inventory' }).waitFor()

    const shown: number[] = []
    for (let round = 0; round < rounds; round++) shown.push(await timeToRows(page))
    const sortSelector = 'main label:nth-of-type(2) select'
    const sorts: number[] = []
    const sortWork: number[] = []
    const change = async (selector: string, value: string, times: number[]) => {
      await page.waitForTimeout(200)
      times.push(await timeChange(page, { selector, value }))
    }
    for (let round = 0; round < 2; round++)
      for (const value of ['price', 'brand', 'size', 'code', 'name'])
        sortWork.push(await workOf(page, () => change(sortSelector, value, sorts)))
    const finds: number[] = []
    const findWork: number[] = []
    for (const value of ['mez', 'mezcal 1', 'chateau rouge house', ''])
      findWork.push(await workOf(page, () => change('main input[type=search]', value, finds)))
    let scrolled = { frames: 1, slow: 0, longest: 0 }
    const scrollWork = await workOf(page, async () => (scrolled = await scrollThrough(page)))
    const line = (what: string, times: number[], goal: string) =>
      say(
        `  ${what.padEnd(34)} median ${median(times.toSorted((a, b) => a - b)).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms (goal: ${goal})`,
      )
    line('from the answer to painted rows', shown, '500 ms')
    line('another sort, painted', sorts, '100 ms')
    line("  work of the page's main thread", sortWork, '100 ms')
    line('another text to find, painted', finds, '100 ms')
    line("  work of the page's main thread", findWork, '100 ms')
    say(
      `  scrolled from top to end in ${scrolled.frames} frames: ${scrolled.slow} longer than 50 ms, longest ${scrolled.longest.toFixed(0)} ms; work ${(scrollWork / scrolled.frames).toFixed(1)} ms a frame`,
    )
  } finally {
    await browser.close()
    await app.stop()
    await postgres.stop()
  }
}

await main()
