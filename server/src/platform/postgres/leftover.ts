import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { binary } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import { plainEnvironment } from './data-directory.ts'
import { findProcess } from './processes.ts'
import type { RunningProcess } from './processes.ts'
import { PostgresStartError } from './start-error.ts'

/** The time for a supervisor to notice its parent's death before we stop the server ourselves. */
const PATIENCE_MS = 500
const GIVE_UP_MS = 60_000

/**
 * Clears the remains of an earlier start on this data directory. It stops a server whose parent died. If a stale pid
 * file holds the number of another process, it returns that number: PostgreSQL has to be told to ignore it.
 */
export async function settleLeftover(dataDir: string, binaries: Binaries): Promise<number | undefined> {
  const pid = postmasterPid(dataDir)
  const found = pid === undefined ? undefined : findProcess(pid)
  if (pid === undefined || !found) return undefined
  const kind = servesDataDir(found, dataDir)
  if (kind === 'no') return pid
  if (kind === 'foreign') {
    throw new PostgresStartError(
      `A PostgreSQL that Cellarhand did not start (process ${pid}) has the database in ${dataDir} open. Stop it first, or set ` +
        'DATABASE_URL to it.',
    )
  }
  await stopOrphan({ pid, found, dataDir, binaries })
  return undefined
}

type Orphan = { pid: number; found: RunningProcess; dataDir: string; binaries: Binaries }

async function stopOrphan({ pid, found, dataDir, binaries }: Orphan): Promise<void> {
  const began = performance.now()
  let askAgainMs = PATIENCE_MS
  const isSame = () => findProcess(pid)?.startedAt === found.startedAt
  while (isSame()) {
    const waited = performance.now() - began
    if (waited > GIVE_UP_MS) {
      throw new PostgresStartError(
        `A PostgreSQL left over from an earlier start (process ${pid}) is still stopping on ${dataDir}. Wait for it, or stop ` +
          'that process, and start again.',
      )
    }
    if (waited > askAgainMs) {
      askAgainMs += 1000
      askToStop(pid, dataDir, binaries)
    }
    await sleep(20)
  }
}

function askToStop(pid: number, dataDir: string, binaries: Binaries): void {
  if (process.platform !== 'win32') {
    process.kill(pid, 'SIGINT')
    return
  }
  const args = ['stop', '-D', dataDir, '-m', 'fast', '-W']
  execFileSync(binary(binaries, 'pg_ctl'), args, { env: plainEnvironment(), windowsHide: true })
}

/** The lines of PostgreSQL's pid file: number, directory, start, port, socket folder, address, memory, status. */
export function readPidFile(dataDir: string): string[] {
  try {
    return fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

function postmasterPid(dataDir: string): number | undefined {
  // A stand-alone server writes its number with a minus sign.
  const pid = Math.abs(Number(readPidFile(dataDir)[0]))
  return pid > 0 ? pid : undefined
}

function servesDataDir(found: RunningProcess, dataDir: string): 'ours' | 'foreign' | 'no' {
  const program = path.basename((found.args[0] ?? '').replaceAll('\\', '/')).replace(/[.:]?(exe)?$/, '')
  if (program !== 'postgres' && program !== 'postmaster') return 'no'
  // Windows shows neither arguments nor folder, so only the pid file can tell.
  if (process.platform === 'win32') return 'ours'
  const line = found.args.join(' ')
  if (line.includes(`-D ${dataDir} `) && line.includes('cluster_name=cellarhand')) return 'ours'
  if (found.cwd !== undefined) return found.cwd === fs.realpathSync(dataDir) ? 'foreign' : 'no'
  // Without a visible folder, a process that names another directory is not ours. If it names none, nobody can tell.
  return / -D ?(?!\s)/.test(line) && !line.includes(dataDir) ? 'no' : 'foreign'
}
