import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { layCable } from '../e2e/cable.ts'
import { notePrinting, watchFaults } from '../e2e/faults.ts'
import { noteMessages, Schedule, type Sums } from '../e2e/offline/line-schedule.ts'
import { outsideOf } from '../e2e/outside.ts'
import { letIn, signIn } from '../e2e/people.ts'
import { openShop } from '../e2e/shop.ts'
import { findChromium } from '../scripts/chromium.mjs'
import { wholeNumber } from './rig/end.ts'
import { say } from './rig/say.ts'
import { startProcess } from './rig/servers.ts'

/** Seeded schedules of a line that breaks, in a real browser: no decision may be lost or doubled. */
const count = wholeNumber('The number of schedules', process.argv[2] ?? '20')
const first = wholeNumber('The first seed', process.argv[3] ?? '1')
/** A schedule mostly waits, so shops side by side end sooner. */
const sideBySide = wholeNumber('The number of shops', process.argv[4] ?? '1')
/** A browser's list must not grow for ever. */
const perShop = 5

interface Place {
  readonly browser: Browser
  readonly origin: string
  readonly dataDir: string
}

async function runSome({ browser, origin, dataDir }: Place, seeds: readonly number[]): Promise<Sums[]> {
  const shop = await openShop(dataDir)
  const cable = await layCable(origin)
  // High enough for the rows of all its schedules: those below the screen are not in the page.
  const context = await browser.newContext({ baseURL: cable.url, viewport: { width: 1440, height: 1800 } })
  try {
    const faults = await watchFaults(context)
    await notePrinting(context)
    await letIn(context, cable.url, shop.owner)
    const { bearer } = await signIn(origin, shop.owner)
    const page = await context.newPage()
    const told = await noteMessages(page)
    await page.goto('/orders/active')
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    const ground = { page, cable, outside: outsideOf(origin), shop: shop.key, bearer, told }
    const sums: Sums[] = []
    for (const seed of seeds) {
      const schedule = new Schedule(ground, seed)
      const began = performance.now()
      const sum = await schedule.run().catch((error: unknown) => {
        throw new Error(`seed ${seed} (${schedule.steps.join(', ')})`, { cause: error })
      })
      sums.push(sum)
      const { pressed, done, undone, givenBack } = sum
      const tookMs = performance.now() - began
      say(
        `  seed ${String(seed).padEnd(5)} ${pressed} pressed, ${done} done, ${undone} undone, ${givenBack} given back, ${(tookMs / 1000).toFixed(0)} s`,
      )
    }
    if (faults.length > 0) throw new Error(`seeds ${seeds.join(', ')}: ${faults.join('\n')}`)
    return sums
  } finally {
    await context.close()
    await cable.remove()
  }
}

async function main(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-lines-'))
  // When root starts it, the database runs as another user, and that user has to pass.
  fs.chmodSync(dataDir, 0o711)
  const app = await startProcess(
    'server/src/main.ts',
    { DATA_DIR: dataDir, DATABASE_URL: '', DEMO: '1' },
    '/readyz',
  )
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const seeds = Array.from({ length: count }, (_, index) => first + index)
  const all: Sums[] = []
  try {
    say(`${count} schedules from seed ${first}:`)
    const runShops = async (): Promise<void> => {
      while (seeds.length > 0) {
        const some = seeds.splice(0, perShop)
        try {
          all.push(...(await runSome({ browser, origin: app.origin, dataDir }, some)))
        } catch (error) {
          process.exitCode = 1
          console.error(error)
        }
      }
    }
    await Promise.all(Array.from({ length: sideBySide }, runShops))
    const sum = (name: keyof Sums) => all.reduce((total, each) => total + each[name], 0)
    say(
      `  together ${sum('pressed')} decisions and ${sum('reloads')} reloads: ${sum('done')} done once, ${sum('undone')} undone, ${sum('givenBack')} given back as not confirmed`,
    )
  } finally {
    await browser.close()
    await app.stop()
    fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

await main()
