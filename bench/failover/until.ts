import { setTimeout as sleep } from 'node:timers/promises'

/** Looks four times a second until it holds. */
export async function until(
  what: string,
  seconds: number,
  holds: () => Promise<boolean> | boolean,
): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !(await holds());) {
    if (Date.now() > end) throw new Error(`After ${seconds} seconds there is still no ${what}`)
    await sleep(250)
  }
}
