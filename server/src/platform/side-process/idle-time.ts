import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * From now on this process runs only while the processor has nothing else to do. A low priority is not enough: Linux lets
 * it finish its slice of some milliseconds before a request gets the core, while SCHED_IDLE gives way at once (sched(7)).
 * Node sets priorities but no policies, so `chrt` of util-linux does; without it the low priority has to do.
 */
export function runInIdleTime(): void {
  if (process.platform !== 'linux') return
  const ofAllThreads = ['--all-tasks', '--idle', '--pid', '0', String(process.pid)]
  const { status } = spawnSync('chrt', ofAllThreads, { stdio: 'ignore' })
  if (status !== 0) runAfterRequests()
}

/** A batch of papers would otherwise take a core from requests and from the database. */
export function runAfterRequests(): void {
  try {
    // Linux has a priority for each thread, and a new thread takes that of its maker.
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [process.pid]
    for (const thread of threads) setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A container may forbid it, and then papers are drawn all the same.
  }
}
