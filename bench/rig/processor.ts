import { readFileSync } from 'node:fs'

/** Of Linux, and the same on all its machines. */
const ticksPerSecond = 100

/** Seconds of the processor that these processes took so far, the first of them with its children that have ended. */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid, index) => sum + secondsOf(pid, index === 0), 0)
}

function secondsOf(pid: number, isParent: boolean): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const used = fields.slice(11, isParent ? 15 : 13).reduce((sum, field) => sum + Number(field), 0)
    return used / ticksPerSecond
  } catch {
    return 0
  }
}
