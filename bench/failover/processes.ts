import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, readdirSync } from 'node:fs'

/** PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** A program that appends what it says to a file. */
export class Program {
  readonly #command: readonly [string, ...string[]]
  readonly #options: {
    env: Record<string, string>
    logFile: string
    account: Account | undefined
    cwd: string
  }
  #child: ChildProcess | undefined
  #isClosed = false

  constructor(
    command: readonly [string, ...string[]],
    options: { env: Record<string, string>; logFile: string; account: Account | undefined; cwd: string },
  ) {
    this.#command = command
    this.#options = options
  }

  start(): void {
    if (this.#isClosed) return
    const [program, ...args] = this.#command
    const { env, logFile, account, cwd } = this.#options
    const log = openSync(logFile, 'a')
    this.#child = spawn(program, args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...env },
      ...account,
      stdio: ['ignore', log, log],
    })
    this.#child.on('error', () => undefined)
  }

  get pid(): number | undefined {
    const child = this.#child
    return child === undefined || child.exitCode !== null || child.signalCode !== null ? undefined : child.pid
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined || this.pid === undefined) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** Ends it for good: a round that is still under way starts it no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.end('SIGKILL')
  }
}

/** Ends silently when the process is gone already. */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}

export interface Running {
  readonly pid: number
  readonly parent: number
  /** As PostgreSQL titles its processes: `postgres: cellarhand: walsender …`. */
  readonly title: string
}

export function listRunning(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The program's name in brackets may hold spaces; the parent is the second field behind it.
        const parent = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1]
        const title = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ pid: Number(name), parent: Number(parent), title }]
      } catch {
        return []
      }
    })
}

/** All processes below this one. */
export function below(pid: number): Running[] {
  const all = listRunning()
  const found: Running[] = []
  for (const parents = [pid]; parents.length > 0;) {
    const parent = parents.pop()
    for (const each of all.filter((one) => one.parent === parent)) {
      found.push(each)
      parents.push(each.pid)
    }
  }
  return found
}
