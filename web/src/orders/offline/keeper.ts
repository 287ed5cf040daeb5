import type { Input, Line, Reply } from '#lib/calls/call.ts'
import type { Once } from '#lib/calls/send-once.ts'
import { createStore } from '#lib/kept/store.ts'
import type { Order } from '../state/queries.ts'
import type { Decided } from './decision-queue.ts'

export interface Press {
  decided: Decided
  order: Order
  wanted: string
  sendNow: (once: Once) => Promise<Order>
  /** Makes the command's call with another way to call, which only notes it. */
  record: (ask: <L extends Line>(line: L, input: Input<L>) => Promise<Reply<L>>) => Promise<Order>
}

/** The decision waits on this device from now on. An undo or a refusal takes back what the page shows of it. */
export class WaitsHere extends Error {
  readonly takeBackWith: (takeBack: () => void) => void

  constructor(takeBackWith: WaitsHere['takeBackWith']) {
    super('Not sent yet')
    this.takeBackWith = takeBackWith
  }
}

interface Keeper {
  /** Sends a decision, or keeps it on the device. */
  sendOrKeep: (press: Press) => Promise<Order>
  /** Keeps many accepts on the device, and returns the orders that it keeps: none while the line is there. */
  keepAccepts: (orders: readonly Pick<Order, 'id' | 'version'>[]) => Promise<string[]>
}

/** It comes with the part that reads the stream. */
export const keeper = createStore<Keeper | undefined>(undefined)
