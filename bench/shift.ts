import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order } from '@cellarhand/contract/orders'
import { chromium } from '@playwright/test'
import { notePrinting, watchFaults } from '../e2e/faults.ts'
import { outsideOf } from '../e2e/outside.ts'
import { letIn, signIn } from '../e2e/people.ts'
import { openShop } from '../e2e/shop.ts'
import { findChromium } from '../scripts/chromium.mjs'
import { anItem } from '../server/test/orders.ts'
import { detail, onDemand, withCarrier, type Ground } from './jobs/ground.ts'
import { button, dialog, feelPresses, focused, handOn, type Hand } from './jobs/hand.ts'
import { checkId } from './jobs/order-jobs.ts'
import { say } from './rig/say.ts'
import { startProcess } from './rig/servers.ts'

/** A shift of a clerk who never touches the mouse: orders come in waves, and each is worked to its end. */
const orders = Number(process.argv[2] ?? '300')
const waves = 5
const waitMs = 60_000

/** What happens to an order, by its number among all: the same in each run. */
const fates = ['parcel', 'door', 'parcel', 'courier', 'door', 'parcel', 'door', 'out', 'courier', 'rejected']
type Fate = 'parcel' | 'door' | 'courier' | 'out' | 'rejected'

const bottles = ['Rye', 'Gin'].map((name) =>
  anItem({ id: `line-${name}`, name, price: 20, subtotal: 20, product: { id: `p-${name}` } }),
)
const made = {
  parcel: { order_weight: 4 },
  door: { delivery: onDemand },
  courier: { delivery: onDemand, courier_estimate_id: 'est-1' },
  out: { items: bottles, order_weight: 4 },
  rejected: { order_weight: 4 },
}

interface Shift {
  readonly ground: Ground
  readonly hand: Hand
  /** By order number. */
  readonly fates: Map<string, Fate>
}

/** The server's word, since the page shows a decision before it is confirmed. */
async function until(isDone: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + waitMs; !(await isDone()); await sleep(50))
    if (Date.now() > endMs) throw new Error(`The server does not show it: ${what}`)
}

const isIn = async (ground: Ground, id: string, status: string) =>
  (await detail(ground, { id } as Order)).status === status

async function openNumber({ page, press, type }: Hand, id: string): Promise<void> {
  // A dialog that closes still takes the keys.
  await page.getByRole('dialog').waitFor({ state: 'detached', timeout: waitMs })
  await press('/')
  await focused(page.getByRole('combobox', { name: 'Order #' }))
  await type(id)
  await press('Enter')
  await focused(page.getByRole('heading', { level: 1, name: `#${id}` }))
}

async function toList({ page, press }: Hand): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached', timeout: waitMs })
  await press('g')
  await press('o')
  await page.getByRole('heading', { name: 'Active', exact: true }).first().waitFor()
}

async function decideNew({ ground, hand, fates: of }: Shift, wave: readonly string[]): Promise<void> {
  const { page, press, type } = hand
  for (const id of wave.filter((each) => of.get(each) === 'rejected')) {
    await openNumber(hand, id)
    await press('r')
    const reject = dialog(page, 'Reject Order')
    await focused(reject.getByRole('radio', { name: 'Customer cancelled' }))
    for (let step = 0; step < 4; step++) await press('ArrowDown')
    await press('Tab')
    await type('Water in the cellar')
    await press('Tab')
    await press('Tab')
    await press('Enter')
    await until(() => isIn(ground, id, 'MERCHANT_REJECTED'), `#${id} rejected`)
  }
  for (const id of wave.filter((each) => of.get(each) === 'out')) {
    await openNumber(hand, id)
    await press('u')
    await focused(button(page, 'Out of stock'))
    await press('Enter')
    await focused(dialog(page, 'Out of Stock').getByRole('radio').first())
    await press('Enter')
    await until(() => isIn(ground, id, 'REJECTED_PARTIAL'), `#${id} with one bottle out`)
  }
  const rest = wave.filter((each) => of.get(each) !== 'rejected' && of.get(each) !== 'out')
  await toList(hand)
  const bar = button(page, 'Show')
  const all = page.getByRole('button', { name: new RegExp(`^Accept ${rest.length} new`) })
  await bar.or(all).first().waitFor({ timeout: waitMs })
  if (await bar.isVisible()) await press('s')
  await all.waitFor({ timeout: waitMs })
  await press('Shift+A')
  await focused(button(page.getByRole('dialog'), `ACCEPT ${rest.length}`))
  await press('Enter')
  for (const id of rest) await until(() => isIn(ground, id, 'MERCHANT_ACCEPTED'), `#${id} accepted`)
}

async function printSlips({ ground, hand }: Shift): Promise<void> {
  const asked = { as: ground.bearer, params: { tmk: ground.shop.key } }
  const queue = () => ground.outside.call('GET /m/v2/merchant/{tmk}/orders/queue', asked)
  await hand.page.getByRole('button', { name: /^Print \d+ slips?/ }).waitFor({ timeout: waitMs })
  await hand.press('Shift+P')
  await until(async () => (await queue()).slips === undefined, 'all slips')
  await focused(button(hand.page.getByRole('dialog'), 'CLOSE'))
  await hand.press('Enter')
}

/** Every accepted order on its way, the one that is due first each time. */
async function sendOut({ ground, hand, fates: of }: Shift): Promise<void> {
  const { page, press } = hand
  const asked = { as: ground.bearer, params: { tmk: ground.shop.key } }
  const left = async () => (await ground.outside.call('GET /m/v2/merchant/{tmk}/orders/queue', asked)).do
  for (let due = await left(); due.length > 0; due = await left()) {
    const heading = page.getByRole('heading', { level: 1, name: /^#\d+$/ })
    const before = (await heading.count()) > 0 ? await heading.textContent() : null
    await press('.')
    await page.waitForFunction(
      (was) => {
        const title = document.activeElement
        return title?.tagName === 'H1' && title.textContent !== was
      },
      before,
      { timeout: waitMs },
    )
    const id = ((await heading.textContent()) ?? '').slice(1)
    const fate = of.get(id)
    if (fate === 'door') {
      await press('h')
      await focused(button(dialog(page, 'Deliver Order'), 'OUT FOR DELIVERY'))
      await press('Enter')
      await until(() => isIn(ground, id, 'MERCHANT_SHIPPED'), `#${id} out for delivery`)
    } else if (fate === 'courier') {
      await press('h')
      await focused(dialog(page, 'Request Courier Pickup').getByLabel('Number of bags'))
      await press('Enter')
      await until(
        async () => (await detail(ground, { id } as Order)).courier_info !== null,
        `#${id} with a courier`,
      )
    } else {
      await press('l')
      await focused(dialog(page, 'Create Shipping Label').getByLabel('Weight (lbs)').first())
      await press('Enter')
      await until(() => isIn(ground, id, 'MERCHANT_SHIPPED'), `#${id} with a label`)
    }
    await page.getByRole('dialog').waitFor({ state: 'detached', timeout: waitMs })
  }
}

async function handOver({ ground, hand }: Shift, ids: readonly string[]): Promise<void> {
  const { page, press } = hand
  for (const id of ids) {
    await openNumber(hand, id)
    await press('h')
    await checkId(hand)
    await until(() => isIn(ground, id, 'CLOSED'), `#${id} handed over`)
    await page.getByRole('dialog').waitFor({ state: 'detached', timeout: waitMs })
  }
}

async function arrive({ ground, fates: of }: Shift, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const fate = fates[of.size % fates.length] as Fate
    const { id } = await ground.outside.order(ground.shop.key, made[fate])
    of.set(id, fate)
    ids.push(id)
  }
  return ids
}

async function work(shift: Shift): Promise<void> {
  const { hand, fates: of } = shift
  for (let wave = 1; wave <= waves; wave++) {
    const began = performance.now()
    const ids = await arrive(shift, orders / waves)
    await toList(hand)
    await decideNew(shift, ids)
    await printSlips(shift)
    await sendOut(shift)
    await handOver(
      shift,
      ids.filter((id) => of.get(id) === 'door'),
    )
    const { keys } = hand.presses()
    say(
      `  ${ids.length * wave} orders done, ${keys} keys, this wave took ${((performance.now() - began) / 1000).toFixed(0)} s`,
    )
  }
}

/** Each order where its fate leads, by the server's own list. */
async function endsOf({ ground, fates: of }: Shift): Promise<Map<string, number>> {
  const ends = new Map<string, number>()
  for (const [id, fate] of of) {
    const { status } = await detail(ground, { id } as Order)
    const end = `${fate}: ${status}`
    ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  return ends
}

async function main(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-shift-'))
  // When root starts it, the database runs as another user, and that user has to pass.
  fs.chmodSync(dataDir, 0o711)
  const app = await startProcess(
    'server/src/main.ts',
    { DATA_DIR: dataDir, DATABASE_URL: '', DEMO: '1', COURIER_SANDBOX_PACE: '0.01' },
    '/readyz',
  )
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const shop = await openShop(dataDir)
    const outside = outsideOf(app.origin)
    const { bearer } = await signIn(app.origin, shop.owner)
    const context = await browser.newContext({ baseURL: app.origin, viewport: { width: 1440, height: 900 } })
    const faults = await watchFaults(context)
    await notePrinting(context)
    await letIn(context, app.origin, shop.owner)
    const felt = await feelPresses(context)
    const page = await context.newPage()
    const shift = {
      ground: { outside, shop, bearer },
      hand: handOn(page, felt),
      fates: new Map<string, Fate>(),
    }
    await withCarrier(shift.ground)
    await outside.decideRule(bearer, { merchant: shop.key, rule: 'TERMS-AGE' })
    await page.goto('/orders/active')
    await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
    await sleep(2_000)
    say(`a shift of ${orders} orders, by keyboard alone:`)
    await work(shift)
    for (const [end, count] of [...(await endsOf(shift))].toSorted()) say(`  ${end} ${count}`)
    const { mouse, keys, typed } = shift.hand.presses()
    say(
      `  ${mouse} clicks, ${keys} keys beside ${typed.length} texts: ${(keys / orders).toFixed(1)} keys an order`,
    )
    if (faults.length > 0) throw new Error(faults.join('\n'))
  } finally {
    await browser.close()
    await app.stop()
    fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

await main()
