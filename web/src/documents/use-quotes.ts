import type { Order } from '@cellarhand/contract/orders'
import { whyNoLabel } from '@cellarhand/contract/why-no-label'
import { useEffect, useState } from 'react'
import { call, CallError } from '#lib/calls/call.ts'
import type { Selected } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'

/** The carrier answers each order by itself, in about a second. */
const atOnce = 4

export interface Quotes {
  readonly answered: number
  readonly labels: number
  readonly cents: number
  /** Carrier and service, each once, such as "UPS Ground". */
  readonly services: readonly string[]
  /** The orders without a price, and why. */
  readonly unpriced: readonly { readonly id: string; readonly message: string }[]
}

const nothingYet: Quotes = { answered: 0, labels: 0, cents: 0, services: [], unpriced: [] }

/** Asks for the price of each order's label, a few at a time, until the dialog closes. The server keeps the prices. */
export function useQuotes(orders: readonly Selected[]): Quotes {
  const [quotes, setQuotes] = useState(nothingYet)
  useEffect(() => {
    const closing = new AbortController()
    const rest = orders.values()
    const askOneByOne = async (): Promise<void> => {
      for (const { id } of rest) {
        const answer = await quoteOf(id, closing.signal)
        if (closing.signal.aborted) return
        setQuotes((known) => withAnswer(known, answer))
      }
    }
    for (let lane = 0; lane < atOnce; lane++) void askOneByOne()
    return () => closing.abort()
  }, [orders])
  return quotes
}

type Answer = Pick<Quotes, 'cents' | 'services'> | Quotes['unpriced'][number]

function withAnswer(known: Quotes, answer: Answer): Quotes {
  const answered = known.answered + 1
  if ('id' in answer) return { ...known, answered, unpriced: [...known.unpriced, answer] }
  return {
    ...known,
    answered,
    labels: known.labels + 1,
    cents: known.cents + answer.cents,
    services: [...new Set([...known.services, ...answer.services])],
  }
}

async function quoteOf(id: string, signal: AbortSignal): Promise<Answer> {
  try {
    const { boxes, refusal } = await call(
      'POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote',
      { params: { tmk: merchantKey(), id }, body: {} },
      { signal },
    )
    if (refusal) return { id, message: refusal.message }
    return {
      cents: boxes.reduce((sum, { price_cents }) => sum + price_cents, 0),
      services: boxes.map(({ carrier, service }) => `${carrier} ${service}`.trim()),
    }
  } catch (error) {
    return { id, message: reasonOf(error) }
  }
}

/** A price that is not known now is no refusal: the purchase asks for it again. */
function reasonOf(error: unknown): string {
  if (!(error instanceof CallError) || error.status >= 500) return 'The carrier’s price is not known now.'
  const order = error.body['order'] as Order | undefined
  return (order && whyNoLabel(order)) ?? error.message
}
