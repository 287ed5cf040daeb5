import type { Order } from '@cellarhand/contract/orders'
import type { Page } from '@playwright/test'
import { expect, openOrder, test } from '../desk.ts'
import { signIn } from '../people.ts'

const toUtah = {
  recipient: {
    first_name: 'Ngozi',
    last_name: 'Eze-Lindqvist',
    street_1: '22 Canal Street',
    street_2: 'P.O. Box 1187',
    city: 'Salt Lake City',
    state: 'UT',
    zipcode: '84103',
    phone_number: '+18015550117',
  },
}
const card = (page: Page) => page.getByRole('region', { name: 'What this order needs' })
const words =
  'Our lawyer has read it with the carriers, and wants it so for every box that leaves our cellar. '

/**
 * Where each button below the page's header is, from the top of the card: the bar of unseen orders moves the page as a
 * whole when it goes. The answer's own button is in the card's head, with nothing to be pressed beside it.
 */
async function placesOf(page: Page): Promise<string[]> {
  const places = await card(page).evaluate((region) => {
    const { top } = region.getBoundingClientRect()
    const stays = (element: Element | null): boolean =>
      element !== null &&
      (['fixed', 'sticky'].includes(getComputedStyle(element).position) || stays(element.parentElement))
    const buttons = [...(region.closest('main')?.querySelectorAll('button') ?? [])]
    // A hidden one has no place, so the page's own move would look like its move.
    return buttons
      .filter((button) => button.checkVisibility())
      .map((button) => {
        const { x, y } = button.getBoundingClientRect()
        // The bar at the lower edge moves with nothing.
        const isFixed = stays(button)
        return `${button.ariaLabel ?? button.innerText}: ${Math.round(x)}, ${Math.round(isFixed ? 0 : y - top)}`
      })
  })
  return places.filter((each) => !/^(Good to know|Show all)/.test(each))
}

for (const width of [320, 390, 1440])
  test(`the answer behind a rule moves no button, ${width} pixels wide`, async ({
    openDesk,
    outside,
    ownShop,
    url,
  }) => {
    const { bearer } = await signIn(url, ownShop.owner)
    for (const rule of ['US-HOME-STATE', 'US-FEDEX-STICKER', 'US-ADULT-SIGNATURE'])
      await outside.decideRule(bearer, { merchant: ownShop.key, rule })
    await outside.call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
      as: bearer,
      params: { tmk: ownShop.key, rule: 'US-PO-BOX' },
      body: { decision: 'changed', applies: { roads: ['parcel'] }, reason: words.repeat(4).trim() },
    })
    const held = await outside.order(ownShop.key, toUtah)
    for (const rule of ['UNKNOWN-DESTINATION', 'US-PO-BOX'])
      await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/ask', {
        as: bearer,
        params: { tmk: ownShop.key, id: held.id },
        body: { rule, question: words.repeat(3).trim() },
      })
    await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/keep_held', {
      as: bearer,
      params: { tmk: ownShop.key, id: held.id },
      body: { rule: 'US-PO-BOX', reason: words.repeat(3).trim() },
    })
    const local = await outside.order(ownShop.key, { delivery: { method: 'on_demand' } })
    const page = await openDesk(ownShop.owner, { viewport: { width, height: 900 } })
    for (const order of [held, local]) await staysInPlace(page, order)

    // Nothing of a long answer is lost: a press shows the rest.
    await openOrder(page, held)
    await card(page)
      .getByRole('button', { name: /^(Good to know|Show all)/ })
      .click()
    const asked = card(page).getByText(words.repeat(3).trim()).first()
    expect(await asked.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
  })

/** The parts of the page load one by one. */
async function untilSteady(page: Page): ReturnType<typeof placesOf> {
  let places = await placesOf(page)
  await expect(async () => {
    const former = places
    places = await placesOf(page)
    expect(places).toEqual(former)
  }).toPass({ intervals: [1_000] })
  return places
}

async function staysInPlace(page: Page, order: Order): Promise<void> {
  const answer = Promise.withResolvers<void>()
  await page.route('**/orders/*/duties', async (route) => {
    await answer.promise
    await route.continue()
  })
  await openOrder(page, order)
  await expect(card(page)).toBeVisible()
  await page.getByText('Order received').waitFor()
  await page.getByRole('button', { name: 'Add note' }).waitFor()
  // The neighbours come by an answer of their own, which gives one of these buttons the number of its order.
  await page
    .getByRole('button', { name: /^(Previous|Next) order, / })
    .first()
    .waitFor()
  const before = await untilSteady(page)
  expect(before.length).toBeGreaterThan(3)
  answer.resolve()
  await page
    .getByText(/checked \d/)
    .first()
    .waitFor({ state: 'attached' })
  expect(await placesOf(page)).toEqual(before)
  await page.unroute('**/orders/*/duties')
}
