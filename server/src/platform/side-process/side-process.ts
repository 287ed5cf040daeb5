import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Clock, Timer } from '../clock/clock.ts'
import type { Lulls } from '../turns/lulls.ts'
import { withServer } from './ends-with-server.ts'
import { createPatience } from './patience.ts'

/** The program did not answer within its time, or the server is stopping. A later try may succeed. */
export class NotDone extends Error {}

export interface SideProcess {
  /** The answer of the program; fails with its error, or with `NotDone`. */
  ask<T>(task: unknown): Promise<T>
  stop(): Promise<void>
}

interface Pending {
  readonly task: unknown
  readonly resolve: (answer: never) => void
  readonly reject: (error: unknown) => void
  readonly timer: Timer
}

interface Said {
  /** Of the question that it answers; a sign of life has none. */
  readonly id?: number
  readonly result?: never
  readonly error?: string
  /** The processor time that the process has had, in milliseconds. */
  readonly hadMs: number
}

export interface Helping {
  /** An answer that takes longer is given up. */
  readonly waitMs: number
  readonly clock: Clock
  /** For a command: it has no requests of its own, and somebody watches it. So it has a share of the processor at once. */
  readonly isAwaited?: boolean
  /** The work waits for these, as long as it is patient. Only where the system can end a process with the server. */
  readonly lulls?: Lulls | undefined
}

interface Running {
  readonly child: ChildProcess
  readonly isPatient: boolean
  /** Before its first sign, the system may not know yet that it ends with the server. */
  hasSpoken: boolean
}

/** So long after such a time, the next process is patient again. */
const busyMs = 600_000
/** A process without a question ends after this time and gives its memory back. */
const restMs = 600_000

const entry = fileURLToPath(new URL('./run-program.ts', import.meta.url))

/** It draws what strangers wrote, so it gets none of the server's secrets. */
function passedOn(): NodeJS.ProcessEnv {
  const names = ['PATH', 'TZ', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

interface Start {
  readonly isPatient: boolean
  readonly isAwaited: boolean
  /** One that can be stopped would not hear of the server's end, so the system ends it as well. */
  readonly isStoppable: boolean
}

function startProgram(program: URL, { isPatient, isAwaited, isStoppable }: Start): Running {
  // On two cores it leaves one to requests: without the first option V8 collects its garbage in four threads beside it.
  // With the second it keeps 90 MB less for young objects, and draws as many papers.
  const options = isAwaited ? [] : ['--single-threaded', '--max-semi-space-size=4']
  const child = fork(entry, [program.href, isPatient ? 'patient' : 'busy'], {
    // The usual form would send bytes as lists of numbers.
    serialization: 'advanced',
    env: passedOn(),
    // Of an orphaned group with a stopped process in it, the system hangs up all, the server too (setpgid(2)).
    detached: isStoppable,
    execPath: isStoppable ? 'setpriv' : process.execPath,
    execArgv: isStoppable ? [...withServer, process.execPath, ...options] : options,
  })
  return { child, isPatient, hasSpoken: false }
}

/**
 * A program in its own process, for work that would block requests. The first question starts it. It runs in time that
 * nothing else needs; when there is too little of it, a process with a share of the processor takes over what is asked.
 * So a question may be worked on twice, and the program must have no effects outside.
 *
 * It is no worker thread, because V8 collects the garbage of a worker in threads that belong to the whole process and
 * have the usual priority: a fifth of the work would take the processor from requests.
 */
export function createSideProcess(program: URL, helping: Helping): SideProcess {
  const { waitMs, clock, isAwaited = false, lulls } = helping
  let running: Running | undefined
  let rest: Timer | undefined
  const patience = createPatience(clock, takeOver)
  let isStopped = false
  let endOfLulls: (() => void) | undefined
  let busyUntilMs = -Infinity
  let lastId = 0
  const pending = new Map<number, Pending>()

  function settle(id: number, end: (waiting: Pending) => void): void {
    const waiting = pending.get(id)
    if (waiting === undefined) return
    pending.delete(id)
    waiting.timer.stop()
    if (pending.size === 0) takeRest()
    end(waiting)
  }

  /** Between requests the work goes on where it was stopped. */
  function hold(isHeld: boolean): void {
    if (running?.isPatient !== true || !running.hasSpoken) return
    running.child.kill(isHeld ? 'SIGSTOP' : 'SIGCONT')
    if (isHeld) patience.leave()
    else patience.comeBack()
  }

  /** Keeps no process of ours alive. */
  function takeRest(): void {
    endOfLulls?.()
    patience.leave()
    if (running === undefined) return
    const { child } = running
    child.unref()
    child.channel?.unref()
    rest = clock.after(restMs, () => {
      running = undefined
      child.disconnect()
    })
  }

  /** A failed process is of no more use; the next question starts another. */
  function letGo({ child }: Running, error: unknown): void {
    if (running?.child !== child) return
    running = undefined
    for (const id of pending.keys()) settle(id, ({ reject }) => reject(error))
    child.kill('SIGKILL')
  }

  function start(): Running {
    const isPatient = !isAwaited && clock.readingMs() >= busyUntilMs
    const started = startProgram(program, { isPatient, isAwaited, isStoppable: lulls !== undefined })
    const { child } = started
    patience.start()
    child.on('message', ({ id, result, error, hadMs }: Said) => {
      if (running?.child !== child) return
      started.hasSpoken = true
      if (id !== undefined)
        settle(id, ({ resolve, reject }) =>
          error === undefined ? resolve(result as never) : reject(new Error(error)),
        )
      patience.hear(hadMs)
    })
    child.on('error', (error) => letGo(started, error))
    child.on('exit', () => letGo(started, new Error('The process ended.')))
    return started
  }

  function send({ child }: Running, id: number, task: unknown): void {
    // A command with nothing else to wait for would end before its answer.
    child.ref()
    child.channel?.ref()
    child.send({ id, task }, (error) => {
      if (error !== null) child.kill('SIGKILL')
    })
  }

  function takeOver(): void {
    if (running?.isPatient !== true) return
    const { child: patient } = running
    busyUntilMs = clock.readingMs() + busyMs
    rest?.stop()
    running = pending.size === 0 ? undefined : start()
    for (const [id, { task }] of pending) if (running !== undefined) send(running, id, task)
    patient.kill('SIGKILL')
  }

  function current(): Running {
    rest?.stop()
    const isBusyTimeOver = !isAwaited && running?.isPatient === false && clock.readingMs() >= busyUntilMs
    if (isBusyTimeOver && pending.size === 0) {
      running?.child.disconnect()
      running = undefined
    }
    running ??= start()
    return running
  }

  return {
    ask(task) {
      if (isStopped) return Promise.reject(new NotDone('The server is stopping.'))
      const asked = current()
      const id = ++lastId
      return new Promise((resolve, reject) => {
        const giveUp = () => running && letGo(running, new NotDone('The process took too long.'))
        if (pending.size === 0) {
          patience.comeBack()
          endOfLulls = lulls?.during(hold)
        }
        pending.set(id, { task, resolve, reject, timer: clock.after(waitMs, giveUp) })
        send(asked, id, task)
      })
    },
    async stop() {
      isStopped = true
      rest?.stop()
      if (running === undefined) return
      const ended = once(running.child, 'exit')
      // At rest it keeps nothing alive, and a command would end before its process does, with a failure.
      running.child.ref()
      letGo(running, new NotDone('The server is stopping.'))
      await ended
    },
  }
}
