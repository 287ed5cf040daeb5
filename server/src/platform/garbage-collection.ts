import { setFlagsFromString } from 'node:v8'

/**
 * Adapts V8's garbage collection to a server whose requests make much garbage and keep little. Call it before the first
 * request.
 */
export function tuneGarbageCollection(): void {
  // After a busy minute, V8 starts to allocate objects of long-lived kinds directly among the old ones. They are
  // collected only by the next full collection, and keep alive all that they refer to, such as all rows of an answer.
  // Each small collection then takes 4 ms instead of 0.7 under the order list's load (`npm run bench -- list`), and
  // full collections come on top.
  setFlagsFromString('--no-allocation-site-pretenuring')
  limitGarbage(40)
}

/**
 * How much garbage gathers among the old objects before V8 collects it, in percent of those in use. Left to itself V8
 * lets as much gather as is in use. With 30 a page of the list waits too often for a collection (decision 0102).
 */
export function limitGarbage(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
