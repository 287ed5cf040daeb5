import { kept } from './browser-storage.ts'

/** The lock under which every page of the browser changes the decisions that wait on the device. */
export const DECISIONS_LOCK = 'cellarhand-decisions'

const KEY = 'cellarhand-not-sent'

/** How many decisions wait on this device, by user: the sign-in page tells it before anybody is known. */
export function notSentCounts(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(kept.get(KEY) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

export function keepNotSent(user: string, count: number): void {
  const { [user]: _, ...others } = notSentCounts()
  const counts = count > 0 ? { ...others, [user]: count } : others
  if (Object.keys(counts).length > 0) kept.set(KEY, JSON.stringify(counts))
  else kept.remove(KEY)
}
