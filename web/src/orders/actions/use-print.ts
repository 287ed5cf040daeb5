import { use, useSyncExternalStore } from 'react'
import { createStore } from '#lib/kept/store.ts'
import { DeskTools } from '../select/desk-tools.ts'
import type { Order } from '../state/queries.ts'

/** Orders whose slip is on its way, from any button or key: a second press does nothing. */
const printing = createStore<ReadonlySet<string>>(new Set())

function listen(listener: () => void): () => void {
  return printing.listen(listener)
}

export function usePrint(order: Order): { isPrinting: boolean; print: () => void } {
  const { printSlip } = use(DeskTools)
  const isPrinting = useSyncExternalStore(listen, () => printing.get().has(order.id))
  return { isPrinting, print: () => printSlip && printOnce(order, printSlip) }
}

export function printOnce(order: Order, printSlip: (order: Order) => Promise<void>): void {
  if (printing.get().has(order.id)) return
  printing.set(new Set([...printing.get(), order.id]))
  const done = (): void => printing.set(new Set([...printing.get()].filter((id) => id !== order.id)))
  printSlip(order).then(done, done)
}
