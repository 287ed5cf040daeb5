import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTurnableDesk } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import type { ShippingProvider } from '../port/shipping-port.ts'
import { startLabelSettler } from './settle-labels.ts'

/** As many as a settler has under way. */
const most = 4

test('labels to give back come in turn: a shop does not wait behind the many of another', async () => {
  const desk = await openTurnableDesk()
  const given: string[] = []
  const waiting: (() => void)[] = []
  // The desk's own settler has no purchases of this provider.
  const provider = {
    name: 'slow',
    async void(shipment: string) {
      given.push(shipment)
      return new Promise<boolean>((resolve) => waiting.push(() => resolve(true)))
    },
  } as Partial<ShippingProvider> as ShippingProvider
  const settler = startLabelSettler({
    db: desk.app.db,
    provider,
    onChange: () => undefined,
    onError: () => undefined,
  })
  try {
    const [busy, calm] = [await desk.openShop(), await desk.openShop()]
    const add = async (merchantId: string, shipment: string, ago: string) => {
      const id = randomUUID()
      await desk.owner.query(
        `insert into label_purchases (merchant_id, purchase_id, order_id, state, provider, provider_account, actor, lease_until)
         values ($1, $2, $3, 'failed', 'slow', 'account', '{"type":"system"}', now() - $4::interval)`,
        [merchantId, id, shipment, ago],
      )
      await desk.owner.query(
        `insert into shipping_labels (merchant_id, purchase_id, box, order_id, state, weight, insurance, shipment)
         values ($1, $2, 1, $3, 'to_void', 4, 0, $3)`,
        [merchantId, id, shipment],
      )
    }
    for (let n = 1; n <= most + 2; n++) await add(busy.key, `busy ${n}`, '1 hour')
    settler.wake()
    await eventually(async () => expect(given).toHaveLength(most))
    await add(calm.key, 'calm', '1 minute')
    waiting.shift()?.()
    await eventually(async () => expect(given).toHaveLength(most + 1))
    expect(given[most]).toBe('calm')
  } finally {
    const stopped = settler.stop()
    for (const end of waiting) end()
    await stopped
    await desk.stop()
  }
})
