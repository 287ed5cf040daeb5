import type { Api } from '@cellarhand/contract/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { mailsTo } from '../../../test/providers/mailbox.ts'
import { orderIn, takeStep } from '../../../test/order-steps.ts'
import { anItem } from '../../../test/orders.ts'
import { expectLegible, readTable } from '../../../test/papers/paper-table.ts'
import { readPdf } from '../../../test/papers/pdf-text.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

type Batch = Api['GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}']['reply']
type ReportType = 'receipt' | 'packingslip'

async function startReports(keys: readonly string[], types: ReportType[]): Promise<string> {
  const { status, body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/reports', {
    as: shop.member,
    params: { tmk: shop.key },
    body: { order_keys: [...keys], report_types: types },
  })
  expect(status).toBe(202)
  return body.batch_id
}

async function look(batchId: string, as = shop.member, key = shop.key) {
  return desk.call('GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}', {
    as,
    params: { tmk: key, batch_id: batchId },
  })
}

async function untilDone(batchId: string): Promise<Batch> {
  return eventually(async () => {
    const { body } = await look(batchId)
    expect(body.completed_count + body.error_count).toBe(body.total_count)
    return body
  })
}

async function fetchFile(url: string | null) {
  const answer = await fetch(url ?? 'missing:')
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    bytes: new Uint8Array(await answer.arrayBuffer()),
  }
}

test('API-050 PRINT-007 ENT-057 GAP-111 GAP-142 slips and receipts of several orders become one file each, and failures are named', async () => {
  const fresh = await desk.order(shop)
  const accepted = await orderIn(desk, shop, {
    status: 'MERCHANT_ACCEPTED',
    items: [anItem({ quantity: 3, subtotal: 156 })],
  })
  const keys = [fresh.thirstie_logistic_order_ref, accepted.thirstie_logistic_order_ref, 'ref-of-nobody']
  const batch = await untilDone(await startReports(keys, ['packingslip', 'receipt']))
  expect(batch).toMatchObject({ total_count: 3, completed_count: 1, error_count: 2 })
  expect(batch.batch_pdf_urls.download).toBeNull()
  expect(batch.failed).toEqual(
    expect.arrayContaining([
      { id: fresh.id, message: 'The receipt is available once the order is accepted.' },
      { id: 'ref-of-nobody', message: "We couldn't find what you are looking for." },
    ]),
  )
  const slips = await fetchFile(batch.batch_pdf_urls.packingslip)
  expect([slips.status, slips.type]).toEqual([200, 'application/pdf'])
  const { all, pages } = await readPdf(slips.bytes)
  // The pick list, then the slip of each order, including the order without a receipt.
  expect(pages).toBe(3)
  expect(all).toContain('Pick list')
  expect(all).toContain(`#${fresh.id}`)
  expect(all).toContain(`#${accepted.id} ×3`)
  const receipts = await readPdf((await fetchFile(batch.batch_pdf_urls.receipt)).bytes)
  expect(receipts.pages).toBe(1)
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: fresh.id } })
  expect(body.printed_timestamp).not.toBeNull()
  expect(body.history[0]).toMatchObject({
    action: 'print_packing_slip',
    actor: expect.stringContaining('user'),
  })
})

test('the slips are sorted by deadline, after a list of all bottles by product', async () => {
  const late = await desk.order(shop, {
    delivery: { method: 'shipped' },
    items: [anItem({ name: 'Zinfandel' })],
  })
  const soon = await desk.order(shop, {
    delivery: { method: 'on_demand' },
    items: [
      anItem({ name: 'Absinthe', quantity: 2, subtotal: 104 }),
      anItem({ id: 'line-2', name: 'Zinfandel' }),
    ],
  })
  const keys = [late.thirstie_logistic_order_ref, soon.thirstie_logistic_order_ref]
  const batch = await untilDone(await startReports(keys, ['packingslip']))
  const { texts } = await readPdf((await fetchFile(batch.batch_pdf_urls.packingslip)).bytes)
  const onPage = (page: number) => texts.filter((run) => run.page === page).map((run) => run.text)
  expect(onPage(2)).toContain(`#${soon.id}`)
  expect(onPage(3)).toContain(`#${late.id}`)
  const list = onPage(1)
  expect(list.indexOf('Absinthe')).toBeLessThan(list.indexOf('Zinfandel'))
  expect(list).toContain(`#${soon.id}, #${late.id}`)
})

test('the pick list has number, product, size and SKU, and each slip has its own rows', async () => {
  const gin = (id: string, quantity: number, size = '750 mL') =>
    anItem({
      id,
      name: 'Harbor Gin',
      quantity,
      subtotal: 52 * quantity,
      product: { id: `p-${id}`, container_size: size },
      offering: { id: `o-${id}`, merchant_sku: `HG-${size}`, stock_behaviour: null },
    })
  const first = await desk.order(shop, {
    items: [
      gin('a', 7),
      anItem({ id: 'b', name: 'Absinthe', quantity: 2, subtotal: 104 }),
      anItem({
        id: 'e',
        name: 'Monogram',
        parent_line_item_id: 'b',
        aux_data: { engraving_message: ['D. R.'] },
      }),
    ],
  })
  const second = await desk.order(shop, { items: [gin('a', 5), gin('b', 1, '1.5 L')] })
  const keys = [first, second].map((order) => order.thirstie_logistic_order_ref)
  const batch = await untilDone(await startReports(keys, ['packingslip']))
  const { texts, pages } = await readPdf((await fetchFile(batch.batch_pdf_urls.packingslip)).bytes)
  expect(pages).toBe(3)
  const columns = [{ name: 'QTY', isRight: true }, { name: 'ITEM' }, { name: 'SIZE' }, { name: 'SKU' }]
  const rowsOn = (page: number) =>
    readTable(texts, columns)
      .filter((line) => line.page === page && line.cells['QTY'])
      .map(({ cells }) => Object.values(cells))
  expect(rowsOn(1)).toEqual([
    ['2', 'Absinthe', '750 mL', 'CS-0750'],
    ['1', 'Harbor Gin', '1.5 L', 'HG-1.5 L'],
    ['12', 'Harbor Gin', '750 mL', 'HG-750 mL'],
  ])
  const forOrders = texts.filter(({ page, text }) => page === 1 && /^#\d/.test(text)).map(({ text }) => text)
  expect(forOrders).toEqual([`#${first.id} ×2`, `#${second.id}`, `#${first.id} ×7, #${second.id} ×5`])
  expect(texts.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^2 orders · 15 items · /))
  expect([2, 3].map(rowsOn)).toEqual([
    [
      ['7', 'Harbor Gin', '750 mL', 'HG-750 mL'],
      ['2', 'Absinthe', '750 mL', 'CS-0750'],
    ],
    [
      ['5', 'Harbor Gin', '750 mL', 'HG-750 mL'],
      ['1', 'Harbor Gin', '1.5 L', 'HG-1.5 L'],
    ],
  ])
  expectLegible(texts)
})

test('GEN-020 API-049 GAP-140 the details of several orders become a CSV with one line per item', async () => {
  const order = await desk.order(shop, {
    items: [anItem(), anItem({ id: 'line-2', name: '=HYPERLINK("x")', quantity: 2, subtotal: 104 })],
    gift_message: { message: 'Zoë, "cheers"\nDad' },
  })
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/details', {
    as: shop.member,
    params: { tmk: shop.key },
    body: { items: [order.id] },
  })
  const batch = await untilDone(body.batch_id)
  expect(batch).toMatchObject({ total_count: 1, completed_count: 1, error_count: 0 })
  const file = await fetchFile(batch.batch_pdf_urls.download)
  expect(file.type).toBe('text/csv; charset=utf-8')
  const text = Buffer.from(file.bytes).toString('utf8')
  expect(text.split('\r\n').filter((line) => line !== '')).toHaveLength(3)
  expect(text).toContain(`${order.id},${order.thirstie_logistic_order_ref},SUBMITTED,`)
  expect(text).toContain(`"Zoë, ""cheers""\nDad"`)
  expect(text).toContain(`"'=HYPERLINK(""x"")"`)
})

test('GEN-020 the details of an order that was handed over have the ID check, the signer and the moment; of a refused one, the reason', async () => {
  const check = { method: 'driver_license' } as const
  const [delivered, back] = [
    await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' }),
    await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' }),
  ]
  const { body: closed } = await desk.call('POST /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: delivered.id },
    body: {
      status: 'CLOSED',
      delivery_info: {
        delivered_on: delivered.date_submitted,
        signed_by: 'Dee Nakamura',
        delivered_by: 'Big Dave',
        age_check: check,
      },
    },
  })
  const { body: refused } = await takeStep(desk, shop, { order: back, step: 'bring_back' })
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/details', {
    as: shop.member,
    params: { tmk: shop.key },
    body: { items: [delivered.id, back.id] },
  })
  const file = await fetchFile((await untilDone(body.batch_id)).batch_pdf_urls.download)
  const [head = [], ...lines] = Buffer.from(file.bytes)
    .toString('utf8')
    .split('\r\n')
    .map((line) => line.split(','))
  const told = (id: string) => {
    const line = lines.find(([order]) => order === id)
    return Object.fromEntries(head.map((name, at) => [name, line?.[at]]))
  }
  expect(told(delivered.id)).toMatchObject({
    'ID check': 'passed',
    ID: 'driver_license',
    'ID checked by': 'Big Dave',
    'ID checked at': closed.age_check?.checked_at,
    'Signed by': 'Dee Nakamura',
    'Delivered by': 'Big Dave',
    'Delivered at': closed.delivery_info?.delivered_on,
  })
  expect(told(back.id)).toMatchObject({
    'ID check': refused.age_check?.result,
    'ID check reason': refused.age_check?.reason,
    'Signed by': '',
    'Delivered at': '',
  })
  expect(refused.age_check?.reason).toBeTruthy()
})

test('BULK-007 when a batch has no printable order, all count as errors and there is no file', async () => {
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/details', {
    as: shop.member,
    params: { tmk: shop.key },
    body: { items: ['999998', '999999'] },
  })
  expect(await untilDone(body.batch_id)).toMatchObject({
    total_count: 2,
    completed_count: 0,
    error_count: 2,
    batch_pdf_urls: { download: null, packingslip: null, receipt: null },
  })
})

test('GAP-141 a batch takes 1 to 200 orders and known report types, belongs to its merchant, and lives for a day', async () => {
  const post = (body: object, path: string) =>
    desk.send('POST', `/m/v2/merchant/${shop.key}/orders/bulk/${path}`, { as: shop.member, body })
  const many = Array.from({ length: 201 }, (_, index) => `${index + 1}`)
  expect((await post({ items: [] }, 'details')).status).toBe(400)
  expect((await post({ items: many }, 'details')).status).toBe(400)
  expect((await post({ order_keys: many, report_types: ['receipt'] }, 'reports')).status).toBe(400)
  expect((await post({ order_keys: ['x'], report_types: ['invoice'] }, 'reports')).status).toBe(400)

  const batchId = await startReports([(await desk.order(shop)).thirstie_logistic_order_ref], ['packingslip'])
  await untilDone(batchId)
  const other = await desk.openShop()
  expect((await look(batchId, other.owner, other.key)).status).toBe(404)
  await desk.owner.query("update batches set created_at = now() - interval '25 hours' where batch_id = $1", [
    batchId,
  ])
  expect((await look(batchId)).status).toBe(404)
})

test('a file’s link opens it for an hour, and opens no other', async () => {
  const order = await desk.order(shop)
  const batch = await untilDone(await startReports([order.thirstie_logistic_order_ref], ['packingslip']))
  const link = new URL(batch.batch_pdf_urls.packingslip ?? '')
  expect(Number(link.searchParams.get('exp')) * 1000 - Date.now()).toBeGreaterThan(3_590_000)
  expect(Number(link.searchParams.get('exp')) * 1000 - Date.now()).toBeLessThanOrEqual(3_600_000)
  for (const change of [
    (url: URL) => url.searchParams.set('exp', String(Number(url.searchParams.get('exp')) + 1)),
    (url: URL) => url.searchParams.set('sig', 'x'.repeat(43)),
    (url: URL) => (url.pathname = url.pathname.replace('packingslip', 'receipt')),
  ]) {
    const forged = new URL(link)
    change(forged)
    expect((await fetchFile(forged.href)).status).toBe(403)
  }
})

/** The mail of a batch whose person waited longer than the page, and whose row was changed meanwhile. */
async function mailOfSlowBatch(change: string) {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  // Another transaction holds the order.
  const holder = await desk.owner.connect()
  await holder.query('begin')
  await holder.query('select from orders where order_id = $1 for update', [order.id])
  const batchId = await startReports([order.thirstie_logistic_order_ref], ['packingslip', 'receipt'])
  expect((await look(batchId)).body).toMatchObject({ total_count: 1, completed_count: 0, error_count: 0 })
  await desk.owner.query(
    `update batches set created_at = created_at - interval '21 seconds', ${change} where batch_id = $1`,
    [batchId],
  )
  await holder.query('commit')
  holder.release()
  await untilDone(batchId)
  const [mail] = await mailsTo(desk, shop.member.email)
  return mail
}

async function expectWorkingLinks(mail: Awaited<ReturnType<typeof mailOfSlowBatch>>): Promise<void> {
  expect(mail?.subject).toBe('Your download is ready')
  expect(mail?.links).toHaveLength(2)
  for (const url of mail?.links ?? []) {
    expect(url).toContain(`${desk.url}/`)
    expect((await fetchFile(url)).status).toBe(200)
  }
}

test('GAP-144 BULK-006 a person who waits longer than the page gets a mail with working links', async () => {
  await expectWorkingLinks(await mailOfSlowBatch('base_url = base_url'))
})

// The cell that has the files signs their links.
test('a batch that another cell began mails links to this one', async () => {
  await expectWorkingLinks(await mailOfSlowBatch(`base_url = 'https://one.example'`))
})

test('a fast batch sends no mail, and two requests with one key start one', async () => {
  const order = await desk.order(shop)
  const start = () =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/reports', {
      as: shop.manager,
      params: { tmk: shop.key },
      body: { order_keys: [order.thirstie_logistic_order_ref], report_types: ['packingslip'] },
      headers: { 'idempotency-key': 'print-1' },
    })
  const [one, two] = [await start(), await start()]
  expect(two.body).toEqual(one.body)
  await untilDone(one.body.batch_id)
  expect(await mailsTo(desk, shop.manager.email)).toHaveLength(0)
})
