import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

/** The system's facts about a running process. */
export type RunningProcess = {
  /** Tells this process from a later one with the same number; empty if the system does not say. */
  startedAt: string
  args: string[]
  /** Its working folder, if visible: PostgreSQL works in its data directory. */
  cwd: string | undefined
}

/** The process with this number; undefined if it does not exist, or has ended and only its entry is left. */
export function findProcess(pid: number): RunningProcess | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if (process.platform === 'linux') return fromProc(pid)
  return process.platform === 'win32' ? fromTasklist(pid) : fromPs(pid)
}

function fromProc(pid: number): RunningProcess | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name, which may itself hold spaces and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    const args = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
    return { startedAt: fields[18] ?? '', args, cwd: attempt(() => fs.readlinkSync(`/proc/${pid}/cwd`)) }
  } catch {
    return undefined
  }
}

function fromPs(pid: number): RunningProcess | undefined {
  const ps = (column: string) =>
    execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    }).trim()
  return attempt(() => {
    const startedAt = ps('lstart')
    if (ps('state').startsWith('Z')) return undefined
    return { startedAt, args: ps('command').split(' '), cwd: undefined }
  })
}

function fromTasklist(pid: number): RunningProcess | undefined {
  return attempt(() => {
    const row = execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], {
      encoding: 'utf8',
      windowsHide: true,
    })
    const name = /^"([^"]+)","(\d+)"/m.exec(row)
    return Number(name?.[2]) === pid ? { startedAt: '', args: [name?.[1] ?? ''], cwd: undefined } : undefined
  })
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
