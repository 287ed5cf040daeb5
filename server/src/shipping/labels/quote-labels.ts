import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { takeProviderShare } from '#platform/provider-share.ts'
import { lockOrder, type MerchantStep } from '#orders/public.ts'
import { labelRefusal, toLabelRefusal } from '../port/label-refusal.ts'
import type { ShippingProvider } from '../port/shipping-port.ts'
import { planPurchase, type WantedBox } from './begin-purchase.ts'
import { keepQuote, wishOf } from './kept-quotes.ts'
import { isLabelRefusal } from './note-label-failure.ts'

interface Prices {
  readonly boxes: { carrier: string; service: string; price_cents: number }[]
  readonly refusal: { code: string; message: string } | null
}

/**
 * What the boxes would cost; without boxes, the single one that a purchase of many orders buys. That a carrier refuses
 * is an answer here, and no failure: nothing was to be bought.
 */
export async function quoteLabels(
  { db, provider }: { db: Database; provider: ShippingProvider | undefined },
  step: MerchantStep,
  wanted: readonly WantedBox[] | undefined,
): Promise<Prices> {
  try {
    if (provider === undefined) throw labelRefusal('general')
    return { boxes: await pricesOf({ db, provider }, step, wanted), refusal: null }
  } catch (error) {
    const refused = error instanceof Refused ? error : toLabelRefusal(error)
    if (refused === undefined || !isLabelRefusal(refused)) throw error
    return { boxes: [], refusal: { code: refused.code, message: refused.message } }
  }
}

async function pricesOf(
  { db, provider }: { db: Database; provider: ShippingProvider },
  step: MerchantStep,
  wanted: readonly WantedBox[] | undefined,
): Promise<Prices['boxes']> {
  const { plan, boxes } = await db.write(step.merchantId, async (statements) =>
    planPurchase(statements, step, {
      locked: await lockOrder(statements, step),
      wish: { provider: provider.name, ...(wanted && { boxes: wanted }) },
    }),
  )
  await takeProviderShare(db, step.merchantId, boxes.length)
  const attempt = randomUUID()
  const prices: Prices['boxes'][number][] = []
  for (const [index, { weight }] of boxes.entries()) {
    const wish = wishOf(plan, {
      orderId: step.orderId,
      attempt,
      box: { number: index + 1, count: boxes.length },
      weightPounds: weight ?? 0,
    })
    const quote = await provider.quote(wish)
    await db.write(step.merchantId, (statements) => keepQuote(statements, step, { wish, quote }))
    const { carrier, service } = quote.service ?? { carrier: wish.carrier, service: '' }
    prices.push({ carrier, service, price_cents: quote.cents })
  }
  return prices
}
