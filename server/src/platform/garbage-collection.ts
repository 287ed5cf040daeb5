import { setFlagsFromString } from 'node:v8'

/**
 * Fits V8's garbage collection to a server whose requests leave little behind but much garbage. To be called before the
 * first request.
 */
export function tuneGarbageCollection(): void {
  // V8 otherwise learns where a server's objects live long (a busy minute, or the demo's making, suffices) and from then
  // on allocates those among the old ones, where nothing is collected until the next full collection: meanwhile they
  // keep alive what they point at, such as all rows of their answer. Each small collection then takes 4 ms instead of
  // 0.7 under the order list's load (`npm run bench -- list`), and full ones are added.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Of some hundred kB that survive, waking other threads to help takes longer than the work: 0.6 ms instead of 0.4.
  setFlagsFromString('--no-parallel-scavenge')
}
