// Shared by the launcher's tests: directories, processes to kill, and a look into a server.
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { systemClock } from '../clock/system-clock.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import type { EmbeddedOptions, EmbeddedPostgres } from './embedded.ts'

export const IS_ROOT = process.getuid?.() === 0

const cleanups: (() => Promise<unknown> | unknown)[] = []

export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
}

export function later(cleanup: () => Promise<unknown> | unknown): void {
  cleanups.push(cleanup)
}

/** A new folder for one test; every user may pass through it unless told otherwise. */
export function newFolder(mode = 0o711): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'launcher-'))
  fs.chmodSync(folder, mode)
  later(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function start(dataDir: string, more: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, ...more })
  later(() => server.stop())
  return server
}

export async function query<Row = Record<string, unknown>>(
  server: EmbeddedPostgres,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** The process number in the pid file of this directory's server. */
export function postmasterPid(dataDir: string): number {
  return Number(fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
}

export type Holder = { child: ChildProcess; output: () => string; exited: Promise<unknown> }

/** A separate process that runs `code` with `startEmbeddedPostgres` and `dataDir` defined, then waits to be killed. */
export function spawnHolder(dataDir: string, code?: string): Holder {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
    const dataDir = ${JSON.stringify(dataDir)}
    setInterval(() => {}, 1000)
    try { ${code ?? 'await startEmbeddedPostgres({ dataDir, log() {} })'}; console.log('READY') }
    catch (error) { console.log('REFUSED ' + error.message); process.exit(1) }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const hear = (text: Buffer) => {
    said += String(text)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const exited = once(child, 'exit')
  later(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, output: () => said, exited }
}

export async function kill(holder: Holder): Promise<void> {
  holder.child.kill('SIGKILL')
  await holder.exited
}

/** Waits until `look` finds something; the test's own time limit ends a wait in vain. */
export async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look()
    if (found) return found
    await systemClock.sleep(20)
  }
}

export function isRunning(pid: number): boolean {
  return (
    spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
      .stdout.trim()
      .replace(/^Z.*/, '') !== ''
  )
}

/** Every running process with its arguments, one a line. */
export function processList(): string {
  return spawnSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).stdout
}

/** The numbers of the processes whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  const rows = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n')
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child ?? 0)
}

/** A small file system in memory, or the reason why this machine has none. */
export function mountSmallDisk(megabytes: number): { folder: string } | { reason: string } {
  const folder = newFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder], {
    encoding: 'utf8',
  })
  if (mounted.status !== 0)
    return { reason: `no small disk can be mounted here: ${mounted.stderr || mounted.error?.message}` }
  later(() => spawnSync('umount', ['-l', folder]))
  return { folder }
}
