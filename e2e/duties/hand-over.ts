import type { Page } from '@playwright/test'
import { samples, textOf } from '../../web/src/delivery/licence/licence-samples.ts'
import { dialog, openOrder } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'

export const year = new Date().getFullYear()
const [card] = samples.slice(-1) as [(typeof samples)[number]]
/** Texts of the card that must not leave the browser. */
export const secrets = ['X0000017', 'NAKAMURA', 'ROWAN', 'INVENTED', '01311985', '1985-01-31']
export const licence = (elements: Record<string, string>): string =>
  textOf({ ...card, elements: { ...card.elements, DCS: 'NAKAMURA', DBA: `0131${year + 5}`, ...elements } })
/** A hand scanner presses Enter for a control character. */
export const typed = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\n')

export async function openHandOver({ page, outside, url }: { page: Page; outside: Outside; url: string }) {
  const { bearer } = await signIn(url, 'member@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Mark Delivered' }).first().click()
  const deliver = dialog(page, 'Deliver Order')
  const stored = async () => outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order.id } })
  return { order, deliver, stored }
}
