import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'
import { openDesk, openTurnableDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anItem } from '../../../test/orders.ts'

let desk: Desk
let busy: Shop
let calm: Shop
beforeAll(async () => {
  desk = await openDesk({ SANDBOX_STEP_SECONDS: '86400' })
  busy = await desk.openShop()
  calm = await desk.openShop()
  await connectCarrier(desk, busy, { format: 'PNG' })
  await connectCarrier(desk, calm)
})
afterAll(async () => desk.stop())

/** The link to the labels of all boxes of a new order. */
async function buyBoxes(shop: Shop, count: number, { at = desk }: { at?: Desk } = {}): Promise<URL> {
  const items = [anItem({ quantity: count, subtotal: 52 * count })]
  const { id } = await orderIn(at, shop, { status: 'MERCHANT_ACCEPTED', items })
  const { status, body } = await at.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { order_id: id, boxes: Array.from({ length: count }, () => ({ weight: 3 })) },
  })
  expect(status).toBe(200)
  return new URL(body.data[0]?.print_url ?? '', at.url)
}

/** A picture that takes long to decode. */
function colourful(): Buffer {
  const [width, height] = [600, 900]
  const chunk = (name: string, data: Buffer) => {
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc32(Buffer.concat([Buffer.from(name), data])), 4)
    return Buffer.concat([frame.subarray(0, 4), Buffer.from(name), data, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  // Eight bits each for red, green, blue and transparency.
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width * 4 + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('while the labels of many boxes are put into one file, the server answers other requests', async () => {
  const link = await buyBoxes(busy, 4)
  await desk.owner.query('update label_files set bytes = $1 where merchant_id = $2', [colourful(), busy.key])
  let isThere = false
  const file = fetch(link).finally(() => (isThere = true))
  let answered = 0
  while (!isThere) {
    await fetch(new URL('/healthz', desk.url))
    answered++
  }
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  const bytes = await (await file).arrayBuffer()
  expect((await PDFDocument.load(bytes)).getPageCount()).toBe(4)
  expect(answered).toBeGreaterThan(20)
})

test("one shop's crowd in front of merged labels is refused in part, and another shop waits for none of it", async () => {
  const crowded = await buyBoxes(busy, 2)
  const quiet = await buyBoxes(calm, 2)
  const ended: string[] = []
  const crowd = Array.from({ length: 60 }, async () => {
    const answer = await fetch(crowded)
    const said = answer.ok ? undefined : ((await answer.json()) as { code: string }).code
    if (answer.ok) ended.push('busy')
    return { status: answer.status, said, retry: answer.headers.get('retry-after') }
  })
  // The first of the crowd are in the press or refused by now.
  const refused = await Promise.any(
    crowd.map(async (each) =>
      (await each).status === 503 ? each : Promise.reject(new Error('Not refused.')),
    ),
  )
  expect([refused.said, Number(refused.retry)]).toEqual(['too_busy', expect.any(Number)])
  expect((await fetch(quiet)).status).toBe(200)
  ended.push('calm')
  const statuses = (await Promise.all(crowd)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(ended.slice(ended.indexOf('calm')).length).toBeGreaterThan(5)
})

test('labels that take too long to be put into one file are refused as too much for now, and come at the next try', async () => {
  const slow = await openTurnableDesk({ SANDBOX_STEP_SECONDS: '86400' })
  onTestFinished(async () => slow.stop())
  const shop = await slow.openShop()
  await connectCarrier(slow, shop, { format: 'PNG' })
  const link = await buyBoxes(shop, 4, { at: slow })
  await slow.owner.query('update label_files set bytes = $1 where merchant_id = $2', [colourful(), shop.key])
  let isThere = false
  const answer = fetch(link).finally(() => (isThere = true))
  while (!isThere) {
    await fetch(new URL('/healthz', slow.url))
    slow.clock.turn(30_000)
  }
  const refused = await answer
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ code: 'too_busy' })
  expect((await fetch(link)).status).toBe(200)
})
