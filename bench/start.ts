import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './rig/load.ts'
import { say } from './rig/say.ts'

const port = 4471
const secondStarts = 5

/** From the command to the first 200 of /readyz, in seconds; Ctrl-C's signal then stops the server. */
async function timeStart(dataDir: string): Promise<{ ready: number; stopped: number }> {
  const began = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('npm start ended by itself')
    await sleep(10)
  }
  const ready = (performance.now() - began) / 1000
  const asked = performance.now()
  const ended = once(child, 'exit')
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
  await ended
  return { ready, stopped: (performance.now() - asked) / 1000 }
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cellarhand-start-'))
  try {
    const first = await timeStart(dataDir)
    say(`first start, with the demo made: ready after ${first.ready.toFixed(2)} s`)
    const later: { ready: number; stopped: number }[] = []
    for (let round = 0; round < secondStarts; round++) later.push(await timeStart(dataDir))
    say(
      `start again, median of ${secondStarts}: ready after ${median(later.map((start) => start.ready)).toFixed(2)} s (goal: at most 3 s)`,
    )
    say(`stop, median: ${median(later.map((start) => start.stopped)).toFixed(2)} s`)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
