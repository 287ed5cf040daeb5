import type { useRouter } from '@tanstack/react-router'
import { listenForSlips } from './commands/slip-scan.ts'
import { keepPush } from './keep-push.ts'
import { keepPageSteady } from './steady-page.ts'

let hasStarted = false

/** What the desk does once it is idle, in one part: each further one would cost the first script its name. */
export function start(router: ReturnType<typeof useRouter>): void {
  listenForSlips(router)
  keepPageSteady()
  // The shell comes anew with some pages; the desk starts once.
  if (!hasStarted) void keepPush(router)
  hasStarted = true
}
