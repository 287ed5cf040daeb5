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
  return found as Programs
}

function onPath(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map((folder) => join(folder, program)).find((at) => existsSync(at))
}
