import { CallError } from '#lib/calls/call.ts'
import { newId } from '#lib/calls/new-id.ts'
import { sendOnce, unansweredKey } from '#lib/calls/send-once.ts'
import { session } from '#sign-in/public.ts'
import type { Order } from '../state/queries.ts'
import { isOpen, type Decision } from './decision-queue.ts'
import { WaitsHere, type Press } from './keeper.ts'
import { isLineAway } from './line-state.ts'
import { canWait, decisions, keepForCall, keepWaiting, takeBackWith } from './waiting.ts'

/**
 * Sends a decision. While the page knows that the line is away, the device keeps it instead. The device also keeps it
 * for the time of its call, so that a page that ends meanwhile loses nothing.
 */
export async function sendOrKeep({ decided, order, wanted, sendNow, record }: Press): Promise<Order> {
  const by = session.get().user?.id
  if (by === undefined || !canWait()) return sendOnce(wanted, sendNow)
  const open = decisions.get().find((each) => each.orderId === order.id && isOpen(each))
  if (open) {
    const message = `The ${open.decided} of this order is not sent yet. Undo that first.`
    throw new CallError(409, { code: 'waits_here', message })
  }
  const tried = unansweredKey(wanted)
  const key = tried ?? newId()
  const pressed = { key, orderId: order.id, decided, by, ...recorded(record), pressedAt: Date.now() }
  if (isLineAway()) {
    const decision: Decision = { ...pressed, state: 'waiting', isTried: tried !== undefined }
    // A device that cannot keep it must not say so: the call then fails as it always did.
    if (await keepWaiting(decision)) throw new WaitsHere((takeBack) => takeBackWith(key, takeBack))
  }
  const calling: Decision = { ...pressed, state: 'calling', isTried: true }
  return keepForCall(calling, () => sendOnce(wanted, sendNow, { key }))
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
