import type { Order } from '@cellarhand/contract/orders'
import { numberInTheMiddle } from './crowd.ts'
import { detail, sent, type Job } from './ground.ts'
import { button, type Hand } from './hand.ts'

const slips: Job = {
  name: 'slips of 76',
  goal: { mouse: 1, keys: 2 },
  prepare: (ground) => sent(ground, 76),
  ways: {
    mouse: ({ page, click }) => click(page.getByRole('button', { name: 'Print 76 slips' })),
    async keys({ page, press }) {
      await page.getByRole('button', { name: 'Print 76 slips' }).waitFor()
      await press('Shift+P')
    },
  },
  // An order counts as printed once the file with its slip is stored.
  async isDone({ outside, shop, bearer }) {
    const asked = { as: bearer, params: { tmk: shop.key } }
    const { slips: missing } = await outside.call('GET /m/v2/merchant/{tmk}/orders/queue', asked)
    return missing === undefined
  },
}

const acceptMany: Job = {
  name: 'accept 40',
  goal: { mouse: 2, keys: 3 },
  prepare: (ground) => sent(ground, 40),
  ways: {
    async mouse({ page, click }) {
      await click(page.getByRole('button', { name: 'Accept 40 new' }))
      await click(button(page.getByRole('dialog'), 'ACCEPT 40'))
    },
    async keys({ page, press }) {
      await page.getByRole('button', { name: 'Accept 40 new' }).waitFor()
      await press('Shift+A')
      await button(page.getByRole('dialog'), 'ACCEPT 40').and(page.locator(':focus')).waitFor()
      await press('Enter')
    },
  },
  async isDone(ground, orders) {
    const now = await Promise.all(orders.map((order) => detail(ground, order)))
    return now.every(({ status }) => status === 'MERCHANT_ACCEPTED')
  },
}

const email = (key: string) => `rosa@${key}.example.test`

const colleague: Job = {
  name: 'add a colleague',
  goal: { mouse: 3, keys: 6 },
  typed: 'the address',
  prepare: (ground) => sent(ground, 1),
  ways: {
    async mouse({ page, click, type }, [order]) {
      await click(page.getByRole('button', { name: 'Settings', exact: true }))
      await click(page.getByRole('menuitem', { name: 'Invite a colleague' }))
      const form = page.getByRole('dialog', { name: 'Invite a user' })
      await form.getByLabel('First name').and(page.locator(':focus')).waitFor()
      await type(`Rosa Vine <${email(order?.id ?? '')}>`)
      await click(button(form, 'INVITE'))
    },
    async keys({ page, press, type }, [order]) {
      await press('ControlOrMeta+k')
      for (const key of 'add') await press(key)
      await page.getByRole('option', { name: /Invite a colleague/ }).waitFor()
      await press('Enter')
      const form = page.getByRole('dialog', { name: 'Invite a user' })
      await form.getByLabel('First name').and(page.locator(':focus')).waitFor()
      await type(`Rosa Vine <${email(order?.id ?? '')}>`)
      await press('Enter')
    },
  },
  async isDone({ outside, shop, bearer }, [order]) {
    const asked = { as: bearer, params: { tmk: shop.key } }
    const { items } = await outside.call('GET /c/v2/merchants/{tmk}/users', asked)
    return items.some((each) => each.email === email(order?.id ?? ''))
  },
}

async function typeDigits({ type, press }: Hand, [order]: readonly Order[]): Promise<void> {
  await type(order?.id.slice(-4) ?? '')
  await press('Enter')
}

const find: Job = {
  name: 'find by the last four digits',
  goal: { mouse: 0, keys: 1 },
  typed: '4 digits',
  async prepare(ground) {
    await sent(ground, 1)
    return [await detail(ground, { id: numberInTheMiddle(ground) })]
  },
  ways: {
    // Neither needs a way to the search: digits typed or scanned on the list begin it.
    mouse: typeDigits,
    keys: typeDigits,
  },
  // The order's page is what the job is for; its heading comes with the server's answer.
  isDone: async (ground, [order], page) => {
    const { id } = await detail(ground, order)
    return page.getByRole('heading', { level: 1, name: `#${id}`, exact: true }).isVisible()
  },
}

export const shopJobs = [slips, acceptMany, colleague, find]
