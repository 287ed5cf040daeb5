/** Does the work at the first call alone; later calls wait for the same end. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** An interrupted run leaves no process and no folder behind. */
export function endOnSignals(end: () => Promise<void>): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => void end().finally(() => process.exit(130)))
}

export function wholeNumber(name: string, given: string): number {
  const number = Number(given)
  if (!Number.isSafeInteger(number) || number < 1)
    throw new Error(`${name} must be a whole number from 1 on, and not "${given}".`)
  return number
}
