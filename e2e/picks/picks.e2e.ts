import type { Page } from '@playwright/test'
import { importInventory } from '../../server/src/inventory/public.ts'
import { anItem } from '../../server/test/orders.ts'
import { GUARD_MS } from '../../web/src/lib/parts/late-press.ts'
import { asAdmin } from '../database.ts'
import { block, dialog, expect, openOrder, openOrders, rowOf, test, toast } from '../desk.ts'
import { typeAsScanner } from '../fields.ts'
import { runUntil, stopTime } from '../page-time.ts'
import { signIn } from '../people.ts'

const bourbon = '036000291452'
const rye = '4006381333931'
const stockList = [
  'offering_id,price,quantity,product_name,container_size,merchant_sku,upc,shelf',
  `o-bourbon,20,4,Small Batch Bourbon,750 mL,B-1,${bourbon},B-14`,
  `o-rye,20,4,Small Batch Rye,750 mL,R-1,${rye},C-07`,
  'o-cider,9,4,Orchard Cider,750 mL,C-1,,',
].join('\n')

const bottle = (id: string, name: string, quantity: number) =>
  anItem({
    id,
    name,
    product: { id: `p-${id}`, container_size: '750 mL' },
    offering: { id: `o-${id}`, merchant_sku: null, stock_behaviour: null },
    quantity,
    price: 20,
    subtotal: 20 * quantity,
  })
const twoBourbons = { items: [bottle('bourbon', 'Small Batch Bourbon', 2)] }
const oneCider = { items: [bottle('cider', 'Orchard Cider', 1)] }

/** The code and the Enter of a hand scanner. */
async function scan(page: Page, code: string): Promise<void> {
  await typeAsScanner(page, `${code}\n`)
}

const left = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
]

/** The bars of a UPC-A number, 1 for a dark module. */
function barsOf(upc: string): string {
  const half = (digits: string, turn: (bits: string) => string) =>
    [...digits].map((digit) => turn(left[Number(digit)] ?? '')).join('')
  const inverse = (bits: string) => bits.replaceAll(/[01]/g, (bit) => (bit === '0' ? '1' : '0'))
  return `101${half(upc.slice(0, 6), String)}01010${half(upc.slice(6), inverse)}101`
}

/** A camera that films the bars in `window.bars`, or an empty shelf. */
async function filmBottles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: 640, height: 360 })
      const drawing = canvas.getContext('2d')
      if (!drawing) throw new Error('no canvas')
      const draw = (): void => {
        drawing.fillStyle = '#eee'
        drawing.fillRect(0, 0, 640, 360)
        drawing.fillStyle = '#222'
        const bars = document.documentElement.dataset['bars'] ?? ''
        for (const [at, bit] of [...bars].entries())
          if (bit === '1') drawing.fillRect(130 + at * 4, 60, 4, 240)
        requestAnimationFrame(draw)
      }
      draw()
      return canvas.captureStream()
    }
  })
}

async function hold(page: Page, upc: string | null): Promise<void> {
  const bars = upc === null ? '' : barsOf(upc)
  await page.evaluate((shown) => (document.documentElement.dataset['bars'] = shown), bars)
}

/** From the page's next load on, notes each sound that the browser starts: its seconds, of one that can be heard. */
async function noteSounds(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sounds: number[] = []
    Object.assign(window, { sounds })
    const { start } = AudioBufferSourceNode.prototype
    AudioBufferSourceNode.prototype.start = function (...given) {
      const loudest = this.buffer?.getChannelData(0).reduce((most, each) => Math.max(most, each), 0) ?? 0
      if (loudest > 0.1 && this.context.state === 'running') sounds.push(this.buffer?.duration ?? 0)
      return start.apply(this, given)
    }
  })
}

/** In tenths of a second: the tone of the right bottle is short, those of a wrong one are long. */
const heard = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { sounds: number[] }).sounds.map((seconds) => Math.round(seconds * 10)),
  )

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const walk = (page: Page) => page.getByRole('region', { name: 'The walk, shelf by shelf' })

test.beforeEach(({ ownShop, dataDir }) =>
  asAdmin(dataDir, async (db) => {
    await importInventory(db, { merchantKey: ownShop.key, csv: stockList })
  }),
)

test('a wave by keyboard and scanner: a wrong bottle is named and not counted, one without a code is confirmed by hand', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const one = await outside.order(ownShop.key, twoBourbons)
  const two = await outside.order(ownShop.key, oneCider)
  const page = await openDesk(ownShop.owner)
  await noteSounds(page)
  await openOrders(page)
  for (const order of [one, two]) await rowOf(page, order).getByRole('checkbox').check()
  // The key comes with the bar of the selection.
  await expect(page.getByRole('button', { name: 'Pick', exact: true })).toBeVisible()
  await page.keyboard.press('w')
  await expect(heading(page, 'Wave · 0 of 3 bottles')).toBeVisible()
  expect(decodeURIComponent(page.url())).toContain(`/pick/${one.id},${two.id}`)
  await expect(page.getByRole('heading', { name: 'Small Batch Bourbon' })).toBeVisible()
  await expect(walk(page).getByRole('listitem').first()).toContainText('B-14')

  // The first sound of a browser waits for its sound service, and one that comes late is not heard.
  await page.evaluate(() => new AudioContext().resume())
  await scan(page, rye)
  const refusal = page.getByRole('alert').filter({ hasText: 'Wrong bottle, put it back' })
  await expect(refusal).toContainText('Scanned: Small Batch Rye, 750 mL')
  await expect(refusal.locator('mark')).toHaveText('Rye,')
  await expect.poll(() => heard(page)).toEqual([6])
  await expect(heading(page, 'Wave · 0 of 3 bottles')).toBeVisible()

  await scan(page, bourbon)
  await expect(page.getByRole('heading', { name: 'Right bottle, 1 of 2' })).toBeVisible()
  await expect(refusal).toHaveCount(0)
  await expect.poll(() => heard(page)).toEqual([6, 3])
  // A picked bottle stays picked.
  await page.reload()
  await expect(heading(page, 'Wave · 1 of 3 bottles')).toBeVisible()
  await scan(page, `00${bourbon}`)
  await expect(page.getByRole('heading', { name: 'Right bottle, 2 of 2' })).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Orchard Cider' })).toBeVisible()
  await scan(page, rye)
  await expect(page.getByRole('alert')).toContainText('No code to compare')
  await page.getByRole('button', { name: 'No code to scan' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is left to pick' })).toBeVisible()
  await expect(walk(page)).toContainText('1 of 1 by hand')

  await page.getByRole('link', { name: `Open #${two.id}` }).click()
  await expect(block(page, 'History')).toContainText('by hand')
})

for (const quantity of [2, 1])
  test(`of ${quantity}: a scan whose answer is lost counts once, the page settles it by itself and takes no other bottle before`, async ({
    openDesk,
    outside,
    ownShop,
    cable,
  }) => {
    const order = await outside.order(ownShop.key, {
      items: [bottle('bourbon', 'Small Batch Bourbon', quantity), bottle('rye', 'Small Batch Rye', 1)],
    })
    const page = await openDesk(ownShop.owner, { baseURL: cable.url })
    await openOrder(page, order)
    await page.keyboard.press('w')
    const counted = (picked: number) =>
      heading(page, `Pick #${order.id} · ${picked} of ${quantity + 1} bottles`)
    await expect(counted(0)).toBeVisible()
    cable.loseAnswers()
    await scan(page, bourbon)
    const doubt = page.getByRole('alert').filter({ hasText: 'Not confirmed yet: trying again' })
    await expect(doubt).toContainText('Small Batch Bourbon')
    await expect(page.getByText('Not counted')).toHaveCount(0)
    await scan(page, bourbon)
    await scan(page, rye)
    await page.getByRole('button', { name: 'No code to scan' }).click()
    await expect(doubt).toBeVisible()
    cable.mend()
    await expect(page.getByRole('heading', { name: `Right bottle, 1 of ${quantity}` })).toBeVisible()
    await expect(counted(1)).toBeVisible()
    if (quantity === 2) await scan(page, bourbon)
    if (quantity === 2) await expect(counted(2)).toBeVisible()
    await scan(page, rye)
    await expect(page.getByRole('heading', { name: 'Nothing is left to pick' })).toBeVisible()
    await expect(counted(quantity + 1)).toBeVisible()
  })

test('a bottle scanned again while its answer is late counts once', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key, twoBourbons)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrder(page, order)
  await page.keyboard.press('w')
  await expect(heading(page, `Pick #${order.id} · 0 of 2 bottles`)).toBeVisible()
  cable.holdAnswers('POST ')
  await scan(page, bourbon)
  await scan(page, bourbon)
  await expect(page.getByRole('alert').filter({ hasText: 'Not confirmed yet' })).toBeVisible()
  await scan(page, bourbon)
  cable.mend()
  await expect(page.getByRole('heading', { name: 'Right bottle, 1 of 2' })).toBeVisible()
  await scan(page, bourbon)
  // Each bottle has its answer before the next one is sent: a count of two is that of this scan.
  await expect(page.getByRole('heading', { name: 'Right bottle, 2 of 2' })).toBeVisible()
})

test('a refused scan is not counted; an order that is cancelled meanwhile takes no more bottles', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key, twoBourbons)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrder(page, order)
  await page.keyboard.press('w')
  await expect(heading(page, `Pick #${order.id} · 0 of 2 bottles`)).toBeVisible()
  cable.answerInstead('403 Forbidden', '')
  await scan(page, bourbon)
  await expect(page.getByRole('alert').filter({ hasText: 'Not counted' })).toBeVisible()
  cable.mend()
  await scan(page, bourbon)
  await expect(heading(page, `Pick #${order.id} · 1 of 2 bottles`)).toBeVisible()
  await outside.tell(order, { status: 'CANCELLED' })
  await expect(page.getByText(`#${order.id} was cancelled. Put its bottles back.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'No code to scan' })).toHaveCount(0)
})

test('a double click and a held Enter on No code to scan confirm the one bottle that the button was pressed for', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const order = await outside.order(ownShop.key, {
    items: [
      bottle('cider', 'Orchard Cider', 1),
      bottle('perry', 'Orchard Perry', 1),
      bottle('mead', 'Orchard Stout', 2),
    ],
  })
  const page = await openDesk(ownShop.owner)
  await page.clock.install()
  await openOrder(page, order)
  await page.keyboard.press('w')
  await expect(page.getByRole('heading', { name: 'Orchard Cider' })).toBeVisible()
  const byHand = page.getByRole('button', { name: 'No code to scan' })
  // However slow the machine is, the presses of one hand are close together.
  await stopTime(page)
  await byHand.dblclick()
  await expect(page.getByRole('heading', { name: 'Confirmed by hand, 1 of 1' })).toBeVisible()
  await runUntil(page, () =>
    expect(page.getByRole('heading', { name: 'Orchard Perry' })).toBeVisible({ timeout: 200 }),
  )
  await page.clock.runFor(GUARD_MS)
  // As a key that is held down: the page counts no further press of it.
  await byHand.focus()
  for (let at = 0; at < 9; at++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await runUntil(page, () =>
    expect(page.getByRole('heading', { name: 'Orchard Stout' })).toBeVisible({ timeout: 200 }),
  )
  await expect(heading(page, `Pick #${order.id} · 2 of 4 bottles`)).toBeVisible()
})

test('Not enough here reports the line from the shelf, and the offering is taken down', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const order = await outside.order(ownShop.key, twoBourbons)
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Pick', exact: true }).click()
  await expect(heading(page, `Pick #${order.id} · 0 of 2 bottles`)).toBeVisible()
  await page.getByRole('button', { name: 'Not enough here' }).click()
  const stock = dialog(page, 'Out of Stock')
  // Another bottle is offered from the order's own page alone.
  await expect(stock.getByRole('checkbox')).toHaveCount(0)
  await stock.getByLabel('How many are there?').fill('1')
  await stock.getByRole('radio', { name: 'not available' }).check()
  await stock.getByRole('button', { name: 'UPDATE ORDER' }).click()
  await expect(page).toHaveURL(new RegExp(`/pick/${order.id}$`))
  await expect(page.getByText(`#${order.id} is on hold`)).toBeVisible()
  const { bearer } = await signIn(url, ownShop.owner)
  const isActive = async () => {
    const { items } = await outside.call('GET /c/v2/merchants/{tmk}/offerings', {
      as: bearer,
      params: { tmk: ownShop.key },
    })
    return items.find(({ id }) => id === 'o-bourbon')?.is_active
  }
  // The page shows the report before the server has answered.
  await expect.poll(isActive).toBe(false)
})

test('Not enough here without a line says so, and reports the line once the line is back', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const order = await outside.order(ownShop.key, twoBourbons)
  const page = await openDesk(ownShop.owner)
  const detail = `**/m/v2/orders/${order.id}`
  await page.route(detail, (route) => route.abort())
  await page.goto(`/pick/${order.id}`)
  await page.getByRole('button', { name: 'Not enough here' }).click()
  const lacking = dialog(page, 'Not enough here')
  await expect(lacking.getByText('The order could not be loaded.')).toBeVisible()
  await page.unroute(detail)
  await lacking.getByRole('button', { name: 'Try Again' }).click()
  await expect(dialog(page, 'Out of Stock').getByLabel('How many are there?')).toBeVisible()
})

test('the camera counts a bottle once while it is held, and again when it comes back', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const order = await outside.order(ownShop.key, twoBourbons)
  const page = await openDesk(ownShop.owner)
  await filmBottles(page)
  await page.goto(`/pick/${order.id}`)
  await page.getByRole('button', { name: 'Camera' }).click()
  await expect(page.getByText(/^Hold the barcode of the bottle/)).toBeVisible()
  await hold(page, bourbon)
  await expect(heading(page, `Pick #${order.id} · 1 of 2 bottles`)).toBeVisible()
  // A slow device looks at no picture for longer than a bottle has to be out of sight.
  await page.evaluate(() => {
    const until = performance.now() + 1_500
    while (performance.now() < until);
  })
  await page.waitForTimeout(1_000)
  await expect(heading(page, `Pick #${order.id} · 1 of 2 bottles`)).toBeVisible()
  // A slow machine may see the empty place too seldom for a bottle that comes back.
  await expect(async () => {
    await hold(page, null)
    await page.waitForTimeout(2_500)
    await hold(page, bourbon)
    await expect(page.getByRole('heading', { name: 'Nothing is left to pick' })).toBeVisible({
      timeout: 5_000,
    })
  }).toPass()
  await expect(page.locator('video')).toHaveCount(0)
})

test('without a camera a scan goes on, and the page says so', async ({ openDesk, outside, ownShop }) => {
  const order = await outside.order(ownShop.key, twoBourbons)
  const page = await openDesk(ownShop.owner)
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('Requested device not found', 'NotFoundError')
    }
  })
  await page.goto(`/pick/${order.id}`)
  await page.getByRole('button', { name: 'Camera' }).click()
  await expect(toast(page, 'This device has no camera.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Camera' })).toHaveAttribute('aria-pressed', 'false')
  await scan(page, bourbon)
  await expect(heading(page, `Pick #${order.id} · 1 of 2 bottles`)).toBeVisible()
})
