// Loaded before a program that a launcher started (--import): ends the program when the launcher is gone, because a
// killed launcher can pass no signal on.
import { isMainThread } from 'node:worker_threads'

const LOOK_MS = 300
const launcher = Number(new URL(import.meta.url).searchParams.get('of'))

/** A killed parent that nobody has waited for still has its number, but its children have another parent at once. */
function isGone() {
  if (process.platform !== 'win32') return process.ppid !== launcher
  try {
    return !process.kill(launcher, 0)
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function look() {
  if (!isGone()) return
  clearInterval(timer)
  process.kill(process.pid, 'SIGTERM')
}

// Threads get the arguments of their process.
const timer = isMainThread ? setInterval(look, LOOK_MS).unref() : undefined
