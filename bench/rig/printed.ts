import type { LineItem } from '@cellarhand/contract/orders'
import type { PrintedOrder } from '../../server/src/documents/papers/printed-order.ts'

const line = (number: number): LineItem => ({
  id: `line-${number}`,
  name: `Copper Still Small Batch Bourbon No. ${number}`,
  description: 'Straight bourbon whiskey, 90 proof',
  quantity: number,
  price: 52,
  subtotal: 52 * number,
  discount: 0,
  image_spec: null,
  product: { id: `p-${number}`, container_size: '750 mL' },
  offering: { id: `o-${number}`, merchant_sku: `CS-${number}`, stock_behaviour: null },
  aux_data: null,
  parent_line_item_id: null,
})

/** An order as the papers get it: three lines, a gift message and names beyond ASCII. */
export function printed(number: number): PrintedOrder {
  const party = { first_name: 'Zoë', last_name: `Łukasiewicz ${number}` }
  return {
    shop: {
      name: 'Harbor Wine & Spirits',
      addressLines: ['12 Commerce St', 'New York, NY 10004'],
      phone: '(212) 555-0100',
      timezone: 'America/New_York',
    },
    deadlineAt: new Date(),
    order: {
      id: String(1_000_000 + number),
      status: 'MERCHANT_ACCEPTED',
      date_submitted: new Date().toISOString(),
      application_brand_name: 'Old Vine',
      delivery: { method: 'on_demand', date: null, window: null },
      recipient: {
        ...party,
        street_1: `${number} Pearl St`,
        street_2: 'Apt 4B',
        street_3: null,
        city: 'New York',
        state: 'NY',
        zipcode: '10005',
        country: 'US',
        phone_number: '+12125550123',
        delivery_instructions: 'Ring twice, the doorman has the key.',
      },
      customer: { ...party, email: 'zoe@example.com', phone_number: null, last_order: null },
      gift_message: { message: `Happy birthday, number ${number}!` },
      promo_code: null,
      courier_estimate_id: null,
      transaction: { subtotal: 312, tax: 27.69, delivery_fee: 5, shipping: 0, tip: 8, total: 352.69 },
      items: [line(1), line(2), line(3)],
    } as unknown as PrintedOrder['order'],
  }
}
