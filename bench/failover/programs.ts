import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findSystemPostgres } from '../../scripts/system-postgres.mjs'

/** The programs of Debian's packages that the drill starts. */
export interface Programs {
  readonly etcd: string
  readonly patroni: string
  readonly patronictl: string
  readonly haproxy: string
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string
}

const packages = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  patronictl: 'patroni',
  haproxy: 'haproxy',
  postgres: 'postgresql',
} satisfies Record<keyof Programs, string>

/** Fails with the packages to install. */
export function findPrograms(): Programs {
  const found: Record<keyof Programs, string | undefined> = {
    etcd: onPath('etcd'),
    patroni: onPath('patroni'),
    patronictl: onPath('patronictl'),
    haproxy: onPath('haproxy'),
    postgres: findSystemPostgres()?.bin,
  }
  const names = Object.keys(packages) as (keyof Programs)[]
  const missing = new Set(names.filter((name) => found[name] === undefined).map((name) => packages[name]))
  if (missing.size > 0) {
    throw new Error(
      `The drill needs programs that are not installed. On Debian or Ubuntu: apt-get install --no-install-recommends ${[...missing].join(' ')}`,
    )
  }
  const programs = found as Programs
  demandPatroni(programs.patroni)
  return programs
}

/**
 * An older one, such as Debian 12's 3.0.2, takes the lead back when it wakes, although another machine leads, and its
 * followers drop what that machine has acknowledged (https://github.com/patroni/patroni/pull/2689, and 2783).
 */
function demandPatroni(patroni: string): void {
  const said = execFileSync(patroni, ['--version'], { encoding: 'utf8' })
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said)?.slice(1) ?? []).map(Number)
  if (major > 3 || (major === 3 && minor >= 1)) return
  throw new Error(
    `The drill needs Patroni 3.1 or newer, because older ones lose acknowledged changes (docs/deployment.md). This is ${said.trim()}`,
  )
}

function onPath(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map((folder) => join(folder, program)).find((at) => existsSync(at))
}
