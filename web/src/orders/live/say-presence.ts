import type { Presence } from '@cellarhand/contract/live'
import { afterPaint } from '#lib/parts/after-paint.ts'
import { call, CallError } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { thisScreen as screen } from './this-screen.ts'

export type Activity = Presence['activity']
interface Claim {
  orderId: string
  activity: Activity
}

const claims = new Set<Claim>()
let said: string | undefined
let isSaying = false
let next: ReturnType<typeof setTimeout> | undefined
const AGAIN_MS = 2_500

/** The order open on this page; of several, the one in a decision. Nobody sits before a hidden page. */
function openHere(): Claim | undefined {
  if (document.visibilityState === 'hidden') return undefined
  const all = [...claims]
  return all.findLast(({ activity }) => activity === 'deciding') ?? all.at(-1)
}

/** One request at a time, so that none overtakes another. It repeats while an order is open. */
async function say(): Promise<void> {
  if (isSaying) return
  clearTimeout(next)
  const claim = openHere()
  const text = claim && `${claim.orderId} ${claim.activity}`
  if (claim === undefined && said === undefined) return
  isSaying = true
  said = text
  const body = { screen, order_id: claim?.orderId ?? null, activity: claim?.activity ?? ('viewing' as const) }
  let wait: number | undefined = AGAIN_MS
  try {
    // By then the message is outdated, and the next one repeats it.
    const options = { keepalive: true, limitMs: 5_000 }
    const reply = await call(
      'PUT /m/v2/merchant/{tmk}/presence',
      { params: { tmk: merchantKey() }, body },
      options,
    )
    wait = reply.renew_within_ms
  } catch (error) {
    // A refusal means that this order needs no message. A broken connection means that the next try may succeed.
    if (error instanceof CallError && error.status < 500) wait = undefined
  }
  isSaying = false
  const now = openHere()
  if ((now && `${now.orderId} ${now.activity}`) !== said) return void say()
  if (now && wait !== undefined) next = setTimeout(() => void say(), wait)
}

document.addEventListener('visibilitychange', () => void say())

/** Tells it from now on; returns the function that ends this. */
export function claimOrder(claim: Claim): () => void {
  claims.add(claim)
  afterPaint(() => void say())
  return () => {
    claims.delete(claim)
    // Going straight from one order to the next sends one message instead of two.
    setTimeout(() => void say())
  }
}
