import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { drive, type Driven, type Rig } from './jobs/drive.ts'
import type { Presses } from './jobs/hand.ts'
import type { Job, Way } from './jobs/ground.ts'
import { labelJob, orderJobs } from './jobs/order-jobs.ts'
import { shopJobs } from './jobs/shop-jobs.ts'
import { say } from './rig/say.ts'
import { startProcess } from './rig/servers.ts'

/** A part of a job's name, to drive that job alone. */
const only = process.argv[2] ?? ''
const jobs = [...orderJobs, ...shopJobs, labelJob].filter(({ name }) => name.includes(only))
const columns = [36, 8, 8, 10, 20]

function sayRow(...cells: readonly string[]): void {
  say(`  ${cells.map((cell, place) => cell.padEnd(columns[place] ?? 0)).join('')}`.trimEnd())
}

function wordsOf(job: Job, presses: Record<'mouse' | 'keys', Presses | undefined>): string {
  const { mouse, keys } = presses
  const said = [
    ...(job.typed ? [`and ${job.typed}`] : []),
    ...(mouse && mouse.keys > 0 ? [`the mouse's way has ${mouse.keys} key`] : []),
    ...(mouse && mouse.mouse > job.goal.mouse ? [`MOUSE OVER by ${mouse.mouse - job.goal.mouse}`] : []),
    ...(keys && keys.keys > job.goal.keys ? [`KEYS OVER by ${keys.keys - job.goal.keys}`] : []),
  ]
  return said.join('; ')
}

async function measure(rig: Rig, job: Job): Promise<void> {
  const failures: string[] = []
  const tried = async (name: string, way: Way): Promise<Driven | undefined> => {
    try {
      return await drive(rig, job, way)
    } catch (error) {
      process.exitCode = 1
      failures.push(`    ${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const found = { mouse: await tried('mouse', job.ways.mouse), keys: await tried('keys', job.ways.keys) }
  if ((found.mouse?.mouse ?? 0) > job.goal.mouse || (found.keys?.keys ?? 0) > job.goal.keys)
    process.exitCode = 1
  const counts = [found.mouse?.mouse ?? '-', found.keys?.keys ?? '-'].map(String)
  const { all, late, soon } = found.mouse?.among ?? { all: '-', late: '-', soon: '-' }
  sayRow(
    job.name,
    ...counts,
    `${job.goal.mouse} / ${job.goal.keys}`,
    `${all} / ${late} / ${soon}`,
    wordsOf(job, found),
  )
  for (const { from, goal, drive: way } of job.scans ?? []) {
    const scans = (await tried(`scans, ${from}`, way))?.scans
    const over = scans !== undefined && scans > goal ? `; OVER by ${scans - goal}` : ''
    if (over !== '') process.exitCode = 1
    sayRow(`  by scanner, ${from}`, '', '', `scan: ${goal}`, '', `scans: ${scans ?? '-'}, no press${over}`)
  }
  for (const failure of failures) say(failure)
}

async function main(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-jobs-'))
  // When root starts it, the database runs as another user, and that user has to pass.
  fs.chmodSync(dataDir, 0o711)
  const app = await startProcess(
    'server/src/main.ts',
    { DATA_DIR: dataDir, DATABASE_URL: '', DEMO: '1', COURIER_SANDBOX_PACE: '0.01' },
    '/readyz',
  )
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const rig = { browser, origin: app.origin, dataDir }
  try {
    say('presses for a job, from the open list to the state that the server confirms:')
    sayRow('job', 'mouse', 'keys', 'goal', 'open / late / soon')
    for (const job of jobs) await measure(rig, job)
  } finally {
    await browser.close()
    await app.stop()
    fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

await main()
