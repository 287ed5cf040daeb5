import fs from 'node:fs'
import { systemClock } from '../clock/system-clock.ts'
import { findProcess } from './processes.ts'
import { PostgresStartError } from './start-error.ts'

const heldHere = new Set<string>()

/** Takes the data directory, or refuses while a living process has it. Returns the function that gives it back. */
export async function claimDataDir(dataDir: string): Promise<() => void> {
  // The file is beside the directory, not in it, so that it covers the first set-up too.
  const file = `${dataDir}.owner`
  if (heldHere.has(dataDir)) throw inUse(dataDir, process.pid)
  heldHere.add(dataDir)
  try {
    await takeFile(file, dataDir)
  } catch (error) {
    heldHere.delete(dataDir)
    throw error
  }
  return () => {
    heldHere.delete(dataDir)
    fs.rmSync(file, { force: true })
  }
}

async function takeFile(file: string, dataDir: string): Promise<void> {
  const mine = `${process.pid}\n${findProcess(process.pid)?.startedAt ?? ''}\n`
  for (let round = 0; round < 5; round++) {
    if (createWith(file, mine)) return
    let theirs = readOwner(file)
    if (theirs === '') {
      // Another process may have made the file and not written into it yet.
      await systemClock.sleep(50)
      theirs = readOwner(file)
    }
    const owner = livingOwner(theirs)
    if (owner) throw inUse(dataDir, owner)
    setAside(file, theirs)
  }
  throw inUse(dataDir, livingOwner(readOwner(file)) ?? 0)
}

function createWith(file: string, text: string): boolean {
  let handle: number
  try {
    handle = fs.openSync(file, 'wx', 0o644)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    fs.writeFileSync(handle, text)
    return true
  } catch (error) {
    fs.rmSync(file, { force: true })
    throw error
  } finally {
    fs.closeSync(handle)
  }
}

function readOwner(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function livingOwner(text: string): number | undefined {
  const [pidText = '', startedAt] = text.split('\n')
  const pid = Number(pidText)
  // A restarted container gives its process the previous process's number.
  if (pid === process.pid) return undefined
  const found = findProcess(pid)
  return found && found.startedAt === startedAt ? pid : undefined
}

// Two processes may find the same stale file. Only the process that moves exactly the file that it read continues.
function setAside(file: string, expected: string): void {
  const aside = `${file}.${process.pid}`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (readOwner(aside) !== expected) fs.copyFileSync(aside, file, fs.constants.COPYFILE_EXCL)
  fs.rmSync(aside, { force: true })
}

function inUse(dataDir: string, pid: number): PostgresStartError {
  return new PostgresStartError(
    `The database in ${dataDir} is in use by process ${pid}. Stop that one first, or set DATABASE_URL so that ` +
      'several processes share one PostgreSQL.',
  )
}
