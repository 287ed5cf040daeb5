import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { lockOrder, type MerchantStep } from '#orders/public.ts'
import { labelRefusal, toLabelRefusal } from '../port/label-refusal.ts'
import type { ShippingProvider } from '../port/shipping-port.ts'
import { planPurchase, type WantedBox } from './begin-purchase.ts'
import { isLabelRefusal } from './note-label-failure.ts'

interface Prices {
  readonly boxes: { carrier: string; service: string; price_cents: number }[]
  readonly refusal: { code: string; message: string } | null
}

/** What the boxes would cost. That a carrier refuses is an answer here, and no failure: nothing was to be bought. */
export async function quoteLabels(
  { db, provider }: { db: Database; provider: ShippingProvider | undefined },
  step: MerchantStep,
  wanted: readonly WantedBox[],
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
  wanted: readonly WantedBox[],
): Promise<Prices['boxes']> {
  const { plan, boxes } = await db.write(step.merchantId, async (statements) =>
    planPurchase(statements, step, {
      locked: await lockOrder(statements, step),
      wish: { provider: provider.name, boxes: wanted },
    }),
  )
  const { account, from, to, timezone } = plan
  const asked = randomUUID()
  const prices: Prices['boxes'][number][] = []
  for (const [index, { weight }] of boxes.entries()) {
    const quote = await provider.quote({
      reference: `${step.orderId}:${asked}:${index + 1}`,
      orderNumber: step.orderId,
      box: { number: index + 1, count: boxes.length },
      carrier: account.carrier,
      account: account.provider_account,
      from,
      to,
      weightPounds: weight ?? 0,
      size: account.label_size,
      format: account.label_format,
      timezone,
    })
    const { carrier, service } = quote.service ?? { carrier: account.carrier, service: '' }
    prices.push({ carrier, service, price_cents: quote.cents })
  }
  return prices
}
