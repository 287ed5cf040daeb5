import { vi } from 'vitest'

/** Shorter than the time limit of a test, so that a wait for nothing ends with what was still wrong. */
const patienceMs = 100_000

/** Tries a check until it holds. How fast the machine is does not matter: a check that holds at last has held. */
export async function eventually<T>(check: () => T | Promise<T>, intervalMs = 20): Promise<T> {
  return vi.waitFor(check, { timeout: patienceMs, interval: intervalMs })
}
