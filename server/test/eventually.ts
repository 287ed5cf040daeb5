import { vi } from 'vitest'

/** Shorter than a test's time limit, so that a vain wait ends with the check's own error. */
export const patienceMs = 100_000

/** Repeats a check until it passes, without regard to the machine's speed. */
export async function eventually<T>(check: () => T | Promise<T>, intervalMs = 20): Promise<T> {
  return vi.waitFor(check, { timeout: patienceMs, interval: intervalMs })
}
