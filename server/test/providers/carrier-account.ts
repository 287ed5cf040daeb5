import type { DeskCalls, Shop } from '../desk.ts'

/** Connects the shop to the sandbox carrier, so that it can buy labels. */
export async function connectCarrier(
  desk: DeskCalls,
  shop: Shop,
  { carrier = 'UPS', format = 'PDF' }: { carrier?: 'FedEx' | 'UPS' | 'GSO'; format?: 'PDF' | 'PNG' } = {},
) {
  const answer = await desk.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    as: shop.manager,
    params: { tmk: shop.key },
    body: {
      carrier,
      account_number: 'A1B2 345',
      account_zip: '10001',
      label_size: '4x6',
      label_format: format,
    },
  })
  if (answer.status !== 200) throw new Error(`The account was refused: ${answer.text}`)
  return answer.body
}
