import { expect, test } from 'vitest'
import { openTurnableDesk } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'

test('a label whose note the database loses is no failure of the carrier: 503, and the same request again gets the label', async () => {
  const desk = await openTurnableDesk({ SANDBOX_STEP_SECONDS: '86400' })
  try {
    const shop = await desk.openShop()
    await connectCarrier(desk, shop)
    const { id } = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
    const buy = () =>
      desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
        as: shop.member,
        params: { tmk: shop.key, id },
        body: { order_id: id, boxes: [{ weight: 4.5 }] },
        headers: { 'idempotency-key': 'the-same' },
      })
    // As when the primary ends right after the carrier's answer, and the next one is there a moment later.
    await desk.owner.query(
      `create function lose_note() returns trigger language plpgsql as
       $$ begin raise exception 'terminating connection' using errcode = '57P01'; end $$;
       create trigger lose_note before update on shipping_labels
       for each row when (new.state = 'bought') execute function lose_note()`,
    )
    // Else the purchase's lease can end while the machine is slow, and the refusal is that of a settler's work.
    await desk.standDatabase(true)
    const first = await desk.passing(buy())
    await desk.standDatabase(false)
    expect([first.status, first.refusal.code, first.headers.get('retry-after')]).toEqual([
      503,
      'database_unavailable',
      '2',
    ])
    const second = await buy()
    expect([second.status, second.refusal.code]).toEqual([409, 'labels_in_doubt'])

    await desk.owner.query('drop trigger lose_note on shipping_labels')
    const bought = await desk.later(async () => {
      const again = await buy()
      expect(again.status).toBe(200)
      return again.body
    })
    expect(bought.data).toHaveLength(1)
    const { rows } = await desk.owner.query(
      `select from sandbox_parcels where state = 'bought' and label->>'orderNumber' = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
  } finally {
    await desk.stop()
  }
})
