import { readdirSync, readFileSync } from 'node:fs'

/** The process with all that it started and they started, itself first. Of Linux alone. */
export function familyOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

/** The processes of the PostgreSQL in this folder, the postmaster first, so that a stopped one starts no others. */
export function databaseProcesses(dataDir: string): number[] {
  return familyOf(Number(readFileSync(`${dataDir}/postmaster.pid`, 'utf8').split('\n')[0]))
}
