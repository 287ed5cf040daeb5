import type { Order } from './queries.ts'

/** The version that a clerk decides on. One that is painted ahead stands for the answer that it waits for. */
export function seenVersion({ version }: Pick<Order, 'version'>): number {
  return Math.ceil(version)
}

/** For a request: a server that counts no versions is sent none. */
export function asSeen(order: Pick<Order, 'version'>): { version?: number } {
  const version = seenVersion(order)
  return Number.isNaN(version) ? {} : { version }
}
