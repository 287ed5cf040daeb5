import { UnreachableError, type Input, type Line, type Reply } from '#lib/calls/call.ts'
import { line as connection } from '#lib/calls/is-reached.ts'
import { newId } from '#lib/calls/new-id.ts'
import { sendOnce, type Once } from '#lib/calls/send-once.ts'
import { sessionNumber } from '#lib/kept/stored-session.ts'
import { session } from '#sign-in/public.ts'
import type { Order } from '../state/queries.ts'
import type { Decided, Decision } from './decision-queue.ts'
import { canWait, forgetSent, keepSending } from './waiting.ts'

/** The decision has no answer, and waits on this device from now on. */
export class WaitsHere extends Error {
  readonly decision: Decision

  constructor(decision: Decision) {
    super('Not sent yet')
    this.decision = decision
  }
}

interface Press {
  decided: Decided
  order: Order
  wanted: string
  sendNow: (once: Once) => Promise<Order>
  /** Makes the command's call with another way to call, which only notes it. */
  record: (ask: <L extends Line>(line: L, input: Input<L>) => Promise<Reply<L>>) => Promise<Order>
}

/** Sends a decision, which the device keeps until the answer. Without a line it is kept alone. */
export async function sendOrKeep({ decided, order, wanted, sendNow, record }: Press): Promise<Order> {
  const by = session.get().user?.id
  if (by === undefined || !canWait()) return sendOnce(wanted, sendNow)
  const number = sessionNumber()
  const call = recorded(record)
  const made = (key: string, isTried: boolean): Decision => {
    const { id: orderId } = order
    return { key, orderId, decided, by, ...call, pressedAt: Date.now(), state: 'sending', isTried }
  }
  if (connection.isAway || !navigator.onLine) throw new WaitsHere(made(newId(), false))
  let sent: Decision | undefined
  const note = (key: string): void => {
    sent = made(key, true)
    void keepSending(sent).catch(() => undefined)
  }
  try {
    return await sendOnce(wanted, sendNow, { onKey: note })
  } catch (error) {
    if (sent && error instanceof UnreachableError && sessionNumber() === number) {
      const waits = sent
      sent = undefined
      throw new WaitsHere(waits)
    }
    throw error
  } finally {
    if (sent) void forgetSent(sent).catch(() => undefined)
  }
}

function recorded(record: Press['record']): Pick<Decision, 'line' | 'input'> {
  let noted: Pick<Decision, 'line' | 'input'> | undefined
  const never = new Promise<never>(() => undefined)
  void record((line, input) => {
    noted = { line, input }
    return never
  })
  if (!noted) throw new Error('A decision makes its call at once')
  return noted
}
