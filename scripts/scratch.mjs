// A folder for the tests' temporary data: databases, browser profiles, reports.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'
const NAME = 'cellarhand-test-'
// The tests take 0.4 GB of it at most; the machine needs the rest.
const ENOUGH_MEMORY = 4 * 2 ** 30

/**
 * A folder for this process alone, in memory if there is plenty. After thousands of files were removed, a disk's file
 * system searches long for free space (ext4 passes over the last minute's one by one). That happens with each database
 * that a test file copies and drops, and took a quarter of the time of all server tests.
 */
export function makeScratchFolder() {
  const inside = hasMuchMemory() ? MEMORY : os.tmpdir()
  for (const name of fs.readdirSync(inside)) {
    const [pid] = name.startsWith(NAME) ? name.slice(NAME.length).split('-') : []
    if (pid !== undefined && !isRunning(Number(pid))) removeIfPossible(path.join(inside, name))
  }
  const folder = fs.mkdtempSync(path.join(inside, `${NAME}${process.pid}-`))
  // When root starts them, the databases run as another user, who has to pass and to write beside us.
  fs.chmodSync(folder, 0o1777)
  return { folder, forget: () => remove(folder) }
}

function hasMuchMemory() {
  try {
    fs.accessSync(MEMORY, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(MEMORY)
    return Math.min(bavail * bsize, os.freemem()) >= ENOUGH_MEMORY
  } catch {
    return false
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function removeIfPossible(folder) {
  try {
    remove(folder)
  } catch {
    // Another person's run clears its own folder, and a killed one may have left a disk mounted: neither stops this run.
  }
}

function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
