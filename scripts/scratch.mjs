// Where tests keep what is forgotten after them: databases, browser profiles, reports.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'
const NAME = 'cellarhand-test-'
// They take 0.4 GB of it at most; what is left is for the machine's own work.
const ENOUGH_MEMORY = 4 * 2 ** 30

/**
 * A folder of this process's own, in memory where there is plenty. A disk's file system searches long for a free place
 * after thousands of files were removed (ext4 passes over those of the last minute one by one), as happens with each
 * database that a test file copies and drops: a quarter of the time of all server tests.
 */
export function makeScratchFolder() {
  const inside = hasMuchMemory() ? MEMORY : os.tmpdir()
  for (const name of fs.readdirSync(inside)) {
    const [pid] = name.startsWith(NAME) ? name.slice(NAME.length).split('-') : []
    if (pid !== undefined && !isRunning(Number(pid))) removeIfOurs(path.join(inside, name))
  }
  const folder = fs.mkdtempSync(path.join(inside, `${NAME}${process.pid}-`))
  // Started by root, the databases run as another user, who has to get through and to write beside us.
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

// Another person's run on the same machine is theirs to clear away.
function removeIfOurs(folder) {
  try {
    remove(folder)
  } catch (error) {
    if (error.code !== 'EPERM' && error.code !== 'EACCES') throw error
  }
}

function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
