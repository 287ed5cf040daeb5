// npm run shots [-- --url http://127.0.0.1:4400 --only dialog,today --widths 320,834]: pictures of every screen, with axe's findings.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from '@playwright/test'
import { CHROMIUM_ARGUMENTS, findChromium } from '../../scripts/chromium.mjs'
import { overhangOf, settled, violationsOf } from './axe.ts'
import { watchFaults } from '../faults.ts'
import { signIn } from '../people.ts'
import type { Screen } from './screen-steps.ts'
import { screens } from './screens.ts'
import { setStage } from './stage.ts'

const root = path.join(import.meta.dirname, '../..')
const folder = path.join(root, '.shots')
const usualWidths = '320,390,768,1024,1440'
const schemes = ['light', 'dark'] as const

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** Starts a server with the demo on its own data. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    E2E_DATA_DIR: path.join(os.tmpdir(), `cellarhand-shots-${port}`),
  }
  const child = spawn(process.execPath, ['scripts/e2e-server.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  for (let tries = 0; tries < 240 && child.exitCode === null; tries++) {
    if (await isReady(url)) return { url, stop }
    await sleep(500)
  }
  await stop()
  throw new Error('The server did not start.')
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}

interface View {
  readonly url: string
  readonly screen: Screen
  readonly size: { readonly width: number; readonly height: number }
  readonly scheme: (typeof schemes)[number]
}

async function takeShot(
  browser: Browser,
  stage: Awaited<ReturnType<typeof setStage>>,
  { url, screen, size, scheme }: View,
): Promise<string[]> {
  const person = screen.person === undefined ? 'owner@demo.test' : screen.person
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    ...(person === null ? {} : { storageState: (await signIn(url, person)).storage }),
  })
  try {
    const faults = await watchFaults(context)
    const page = await context.newPage()
    await screen.show(page, stage)
    await settled(page)
    await page.screenshot({ path: path.join(folder, `${screen.name}-${size.width}-${scheme}.png`) })
    const overhang = await overhangOf(page)
    const isWide = overhang > 0 ? [`${overhang} px wider than the window`] : []
    return [...(await violationsOf(page, screen.ownPart)), ...isWide, ...faults]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    await context.close()
  }
}

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    only: { type: 'string' },
    widths: { type: 'string', default: usualWidths },
  },
})
const sizes = values.widths.split(',').map((text) => {
  const width = Number(text)
  return { width, height: width < 700 ? 844 : 900 }
})
const wanted = (values.only ?? '').split(',')
const chosen = screens.filter(({ name }) => wanted.some((part) => name.includes(part)))
fs.mkdirSync(folder, { recursive: true })
const server = values.url === undefined ? await startServer() : undefined
const url = values.url ?? server?.url ?? ''
const executablePath = findChromium()
const browser = await chromium.launch({
  args: CHROMIUM_ARGUMENTS,
  ...(executablePath === undefined ? {} : { executablePath }),
})
let faulty = 0
try {
  const stage = await setStage(url)
  const views = sizes.flatMap((size) => schemes.map((scheme) => ({ size, scheme })))
  console.log(
    ['screen'.padEnd(26), ...views.map(({ size, scheme }) => `${size.width} ${scheme}`.padEnd(11))].join(''),
  )
  for (const screen of chosen) {
    const found: string[] = []
    const cells: string[] = []
    for (const view of views) {
      const problems = await takeShot(browser, stage, { url, screen, ...view })
      cells.push((problems.length === 0 ? 'ok' : `${problems.length} found`).padEnd(11))
      found.push(...problems.map((problem) => `    ${view.size.width} ${view.scheme}: ${problem}`))
    }
    faulty += found.length
    console.log([screen.name.padEnd(26), ...cells].join(''))
    for (const line of found) console.log(line)
  }
} finally {
  await browser.close()
  await server?.stop()
}
console.log(`\n${chosen.length * sizes.length * schemes.length} pictures in ${folder}; found: ${faulty}`)
process.exitCode = faulty > 0 ? 1 : 0
