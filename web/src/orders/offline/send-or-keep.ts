import { CallError, UnreachableError } from '#lib/calls/call.ts'
import { newId } from '#lib/calls/new-id.ts'
import { sendOnce, unansweredKey, type Once } from '#lib/calls/send-once.ts'
import { session } from '#sign-in/public.ts'
import { acceptanceOf } from '../state/acceptance.ts'
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
    const [kept] = await keepWaiting(by, [decision])
    if (kept) throw new WaitsHere((takeBack) => takeBackWith(key, takeBack))
  }
  const calling: Decision = { ...pressed, state: 'calling', isTried: true }
  const ask = (once: Once): Promise<Order> => sendNow(once).catch(asUnanswered)
  return keepForCall(calling, () => sendOnce(wanted, ask, { key }))
}

/** While the line is away, many accepts wait like single ones. */
export async function keepAccepts(orders: readonly Pick<Order, 'id' | 'version'>[]): Promise<string[]> {
  const by = session.get().user?.id
  if (by === undefined || !canWait() || !isLineAway()) return []
  const waiting = orders.map((order): Decision => {
    const input = { params: { id: order.id }, body: acceptanceOf(order) }
    const pressed = { key: newId(), orderId: order.id, by, pressedAt: Date.now() }
    return {
      ...pressed,
      decided: 'accept',
      line: 'PUT /m/v2/orders/{id}',
      input,
      state: 'waiting',
      isTried: false,
    }
  })
  const kept = await keepWaiting(by, waiting)
  return kept.map(({ orderId }) => orderId)
}

/** A proxy that answers in the server's place does not know whether the decision was made. */
function asUnanswered(error: unknown): never {
  const isProxy = error instanceof CallError && error.status >= 502 && error.code === ''
  throw isProxy ? new UnreachableError(error.message) : error
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
