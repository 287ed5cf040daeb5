import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import { median } from '../rig/load.ts'
import { buildKept, deskRecord } from '../../e2e/offline/on-device.ts'
import { say } from '../rig/say.ts'

export interface Desk {
  readonly browser: Browser
  readonly origin: string
  readonly token: string
  /** Milliseconds of the reference's work in this browser at full speed. */
  readonly reference: number
}

/** Milliseconds, for a machine about twice as fast as two shared cores. */
const goals = { firstRow: 900, kept: 1_000, opening: 25, press: 60, task: 50 }

/** The figure as so many times the reference: a ratio that machines share. */
function ratio(ms: number, { reference }: Desk): string {
  return `${(ms / reference).toFixed(1)} times the reference`
}

const slowdown = 4
/** Holds a button down for a while, so that the cost of its going down is not counted again when it comes up. */
const pressMs = 80

interface Probe {
  firstRow?: number
  presses: { at: number }[]
  headings: Record<string, number>
  interactions: { name: string; duration: number }[]
}

/** Runs in the page before anything else, and notes each paint by the browser's own clock. */
function installProbe(): void {
  const probe: Probe = { presses: [], headings: {}, interactions: [] }
  Object.assign(globalThis, { probe })
  const look = () => {
    if (probe.firstRow === undefined && document.querySelector('tbody tr[data-index]'))
      requestAnimationFrame(() => {
        probe.firstRow ??= performance.now()
        console.debug('first row')
      })
    const heading = document.querySelector('h1')?.textContent ?? ''
    if (heading.startsWith('#') && probe.headings[heading] === undefined)
      requestAnimationFrame(() => (probe.headings[heading] ??= performance.now()))
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
  addEventListener('click', (event) => probe.presses.push({ at: event.timeStamp }), true)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId > 0) probe.interactions.push({ name: entry.name, duration: entry.duration })
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

async function read<K extends keyof Probe>(page: Page, key: K): Promise<Probe[K]> {
  return page.evaluate((name) => (globalThis as unknown as { probe: Probe }).probe[name], key) as Promise<
    Probe[K]
  >
}

async function signedIn({
  browser,
  origin,
  token,
}: Pick<Desk, 'browser' | 'origin' | 'token'>): Promise<BrowserContext> {
  const { hostname } = new URL(origin)
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: {
      cookies: [
        {
          name: 'tmk',
          value: 'demo',
          domain: hostname,
          path: '/',
          sameSite: 'Lax',
          expires: -1,
          httpOnly: false,
          secure: false,
        },
      ],
      origins: [{ origin, localStorage: [{ name: 'jwt', value: token }] }],
    },
  })
  await context.addInitScript(installProbe)
  return context
}

async function throttle(page: Page, rate: number): Promise<CDPSession> {
  const line = await page.context().newCDPSession(page)
  await line.send('Emulation.setCPUThrottlingRate', { rate })
  return line
}

async function openList(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/orders/active`)
  await page.getByRole('row').nth(3).waitFor()
  await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
  // The page fetches the parts for the next press once it has settled.
  await sleep(4_000)
}

/** The page tells it by itself: to be asked would cost it 50 ms, at a fourth of its speed, before the row is there. */
async function firstRow(page: Page, origin: string): Promise<number> {
  const told = page.waitForEvent('console', (message) => message.text() === 'first row')
  await page.goto(`${origin}/orders/active`, { waitUntil: 'commit' })
  await told
  return (await read(page, 'firstRow')) ?? Number.NaN
}

export async function measureColdStart(desk: Desk, runs: number): Promise<void> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const context = await signedIn(desk)
    const page = await context.newPage()
    await throttle(page, slowdown)
    times.push(await firstRow(page, desk.origin))
    await context.close()
  }
  say(`\nfirst row painted, nothing cached, CPU ${slowdown} times slower, ${runs} runs:`)
  say(
    `  median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms (${ratio(median(times), desk)}; goal: ${goals.firstRow} ms)`,
  )
}

/** From the device, without a line: the kept build shows the kept orders. */
export async function measureKept(desk: Desk, runs: number): Promise<void> {
  const context = await signedIn(desk)
  const page = await context.newPage()
  await openList(page, desk.origin)
  await buildKept(page)
  await page.reload()
  await openList(page, desk.origin)
  await page.waitForFunction(() => document.querySelectorAll('tbody tr[data-index]').length > 10)
  while ((await deskRecord(page)) === '') await sleep(200)
  await context.setOffline(true)
  for (const rate of [1, slowdown]) {
    const line = await throttle(page, rate)
    const times: number[] = []
    for (let run = 0; run < runs; run++) {
      times.push(await firstRow(page, desk.origin))
    }
    await line.detach()
    say(`\nfirst row painted without a line, from the device, CPU ${rate} times slower, ${runs} runs:`)
    say(
      `  median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms (${ratio(median(times), desk)}; goal: ${goals.kept} ms)`,
    )
  }
  await context.close()
}

export async function measureOpening(desk: Desk, rows: number): Promise<void> {
  const context = await signedIn(desk)
  const page = await context.newPage()
  await openList(page, desk.origin)
  const times: number[] = []
  for (let row = 1; row <= rows; row++) {
    const line = page.locator(`tr[data-index="${row % 15}"]`)
    const number = await line.getByRole('link').innerText()
    await page.evaluate(() => {
      const { probe } = globalThis as unknown as { probe: Probe }
      probe.presses = []
      probe.headings = {}
    })
    await line.locator('td').nth(3).click()
    await page.getByRole('heading', { level: 1, name: number }).waitFor()
    await sleep(60)
    const [press] = await read(page, 'presses')
    times.push(((await read(page, 'headings'))[number] ?? Number.NaN) - (press?.at ?? 0))
    await page.goBack()
    await page.getByRole('row').nth(3).waitFor()
  }
  await context.close()
  say(`\nfrom the press on a row to its order painted, ${rows} orders, full speed:`)
  say(
    `  median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms (${ratio(median(times), desk)}; goal: ${goals.opening} ms)`,
  )
}

export async function measureInteractions(desk: Desk, rounds: number): Promise<void> {
  const context = await signedIn(desk)
  const page = await context.newPage()
  await openList(page, desk.origin)
  await throttle(page, slowdown)
  const found = new Map<string, { paint: number; task: number }[]>()
  const timed = async (name: string, act: () => Promise<void>): Promise<void> => {
    await page.evaluate(() => ((globalThis as unknown as { probe: Probe }).probe.interactions = []))
    const tasks = await tasksDuring(desk.browser, page, async () => {
      await act()
      await sleep(900)
    })
    const durations = (await read(page, 'interactions')).map(({ duration }) => duration)
    const known = found.get(name) ?? []
    found.set(name, known)
    // The browser does not report a paint within 16 ms.
    known.push({ paint: Math.max(16, ...durations), task: Math.max(...tasks) })
  }
  const press = (role: 'button' | 'checkbox' | 'radio', name: string | RegExp) =>
    page.getByRole(role, { name }).first().click({ delay: pressMs })
  for (let round = 0; round < rounds; round++) {
    await timed('filter: open', () => press('button', /^Method/))
    await timed('filter: choose', () => press('radio', /^Shipping/))
    await timed('filter: clear', () => press('button', 'Clear method'))
    await timed('filter: status', () => press('button', /^Status/))
    await press('checkbox', /^New/)
    await timed('filter: apply', () => press('button', 'Apply Selections'))
    for (const step of ['descending', 'ascending', 'none'])
      await timed(`sort: ${step}`, () => press('button', 'Created'))
    await timed('select one', () => press('checkbox', /^Select #/))
    await timed('select all loaded', () => press('checkbox', 'Select all loaded orders'))
    await timed('select: clear', () => press('button', 'Clear selection'))
    await timed('accept: open', () => press('button', /^Accept #/))
    await timed('accept: confirm', () => press('button', 'ACCEPT'))
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.getByRole('row').nth(3).waitFor()
    await timed('clear all', () => press('button', 'Clear all'))
  }
  await context.close()
  say(
    `\ninteraction to next paint, CPU ${slowdown} times slower, ${rounds} rounds (goal: ${goals.press} ms at the median):`,
  )
  for (const [name, times] of found) {
    const paints = times.map(({ paint }) => paint)
    const [middle, most] = [median(paints), Math.max(...paints)].map((ms) => ms.toFixed(0).padStart(4))
    const task = Math.max(...times.map((each) => each.task)).toFixed(0)
    say(
      `  ${name.padEnd(20)} median ${middle} ms  slowest ${most} ms  longest task, in the page's own time, ${task} ms`,
    )
  }
  const all = [...found.values()].map((times) => median(times.map(({ paint }) => paint)))
  say(
    `  all: median ${median(all).toFixed(0)} ms, slowest ${Math.max(...all).toFixed(0)} ms (${ratio(median(all), desk)})`,
  )
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the thread's own time, so that other programs on the machine do not count. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The tasks of the page's main thread during the action, in milliseconds of its own time. */
async function tasksDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  return traceEvents
    .filter(({ ph, pid, tid, tdur }) => ph === 'X' && tdur !== undefined && mains.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
}

export async function measureScrolling(desk: Desk, rows: number): Promise<void> {
  const context = await signedIn(desk)
  const page = await context.newPage()
  await openList(page, desk.origin)
  const report = (what: string, tasks: number[]) => {
    const long = tasks.filter((ms) => ms > goals.task)
    const longest = Math.max(...tasks)
    say(
      `  ${what}: ${long.length} tasks over ${goals.task} ms (goal: 0), longest ${longest.toFixed(0)} ms (${ratio(longest, desk)})`,
    )
  }
  say(`\nscrolling through ${rows.toLocaleString('en-US')} orders, full speed, in the page's own time:`)
  await page.getByRole('row').nth(3).hover()
  const toLastLoaded = () =>
    page.evaluate(() => {
      const box = document.querySelector('[data-scroll-restoration-id="orders-table"]')
      if (!box) return 0
      box.scrollTop = box.scrollHeight
      return Number([...box.querySelectorAll('tr[data-index]')].at(-1)?.getAttribute('data-index') ?? 0)
    })
  // A full trace would not fit. The end of the loading is the dearest part.
  while ((await toLastLoaded()) < rows * 0.95) await sleep(15)
  const loading = await tasksDuring(desk.browser, page, async () => {
    while ((await toLastLoaded()) < rows - 1) await sleep(15)
  })
  report('while the last twentieth is loaded', loading)
  const wheel = await tasksDuring(desk.browser, page, async () => {
    for (let step = 0; step < 200; step++) {
      await page.mouse.wheel(0, step < 100 ? -4_400 : 4_400)
      await sleep(16)
    }
  })
  report('100 rows at each turn of the wheel, up and down', wheel)
  await context.close()
}
