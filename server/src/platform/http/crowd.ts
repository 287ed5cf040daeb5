import type { ServerResponse } from 'node:http'

interface Room {
  readonly of: string
  readonly most: number
}

/** Counts answers under way. False where one of the rooms is full; else the answer stays in all of them until it is over. */
export type Join = (answer: ServerResponse, rooms: readonly Room[]) => boolean

export function createCrowd(): Join {
  const sizes = new Map<string, number>()
  return (answer, rooms) => {
    if (rooms.some(({ of, most }) => (sizes.get(of) ?? 0) >= most)) return false
    // No event tells of a caller who has hung up already.
    if (answer.destroyed) return true
    for (const { of } of rooms) sizes.set(of, (sizes.get(of) ?? 0) + 1)
    answer.once('close', () => {
      for (const { of } of rooms) {
        const left = (sizes.get(of) ?? 0) - 1
        if (left > 0) sizes.set(of, left)
        else sizes.delete(of)
      }
    })
    return true
  }
}
