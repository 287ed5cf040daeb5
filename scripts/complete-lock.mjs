// When a registry lacks a platform's package, npm leaves it out of the lock file. npm then refuses its own lock file
// ("npm ci": Missing from lock file), here and on that platform. Run this after a change of the dependencies: it adds
// the missing entries, as the packages themselves name them, and the checksums that the registry has of them.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './runtime.mjs'

const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'aix',
  'win32',
]
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'x64',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]
const LIBRARIES = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

/** Where a platform package can be installed, by its name. */
export function platformOf(name) {
  const words = name.split(/[-/.]/)
  const system = SYSTEMS.find((word) => words.includes(word))
  const processor = PROCESSORS.find((word) => words.includes(word))
  const library = words.map((word) => LIBRARIES[word]).find(Boolean)
  return {
    ...(processor ? { cpu: [processor] } : {}),
    ...(system === 'linux' && library ? { libc: [library] } : {}),
    ...(system ? { os: [system] } : {}),
  }
}

/** Adds the missing entries; returns their names. */
export function completeLock(lock) {
  const added = []
  for (const [where, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const platform = platformOf(name)
      const isExact = /^\d+\.\d+\.\d+[\w.-]*$/.test(version)
      if (!isExact || (!platform.os && !platform.cpu) || isLocked(lock, where, name)) continue
      lock.packages[`node_modules/${name}`] = {
        version,
        ...platform,
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
      }
      added.push(name)
    }
  }
  const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  lock.packages = Object.fromEntries(sorted)
  return added
}

/** Adds the checksums that are missing, as the registry tells them; returns how many it knew. */
export function addChecksums(lock, checksumOf) {
  let added = 0
  for (const [where, entry] of entriesWithoutChecksum(lock)) {
    const checksum = checksumOf(`${where.split('node_modules/').at(-1)}@${entry.version}`)
    if (!checksum) continue
    const { version, ...rest } = entry
    lock.packages[where] = { version, integrity: checksum, ...rest }
    added++
  }
  return added
}

/** Without a checksum, npm installs any contents that the registry gives under that name. */
export function entriesWithoutChecksum(lock) {
  return Object.entries(lock.packages).filter(
    ([where, { integrity, link }]) => where.includes('node_modules/') && !integrity && !link,
  )
}

function askRegistry(name) {
  try {
    return execFileSync('npm', ['view', name, 'dist.integrity'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}

function isLocked(lock, where, name) {
  return [`${where}/node_modules/${name}`, `node_modules/${name}`].some((place) => place in lock.packages)
}

function run() {
  const file = path.join(ROOT, 'package-lock.json')
  const lock = JSON.parse(fs.readFileSync(file, 'utf8'))
  const added = completeLock(lock)
  const checksums = addChecksums(lock, askRegistry)
  if (added.length + checksums > 0) {
    fs.writeFileSync(`${file}.draft`, `${JSON.stringify(lock, null, 2)}\n`)
    fs.renameSync(`${file}.draft`, file)
  }
  console.log(`${added.length} platform packages and ${checksums} checksums added to the lock file`)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) run()
