import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { startS3Server, type S3Server } from '../../../test/providers/s3-server.ts'

let s3: S3Server
let desk: Desk
let shop: Shop
let environment: Record<string, string>
beforeAll(async () => {
  s3 = await startS3Server()
  const { endpoint, publicEndpoint = '', region, accessKeyId, secretAccessKey } = s3.settings
  environment = {
    S3_ENDPOINT: endpoint,
    S3_PUBLIC_ENDPOINT: publicEndpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  desk = await openDesk(environment)
  shop = await desk.openShop()
})
afterAll(async () => {
  await desk.stop()
  await s3.stop()
})

let link: URL
beforeEach(async () => {
  const order = await desk.order(shop)
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/details', {
    as: shop.member,
    params: { tmk: shop.key },
    body: { items: [order.id] },
  })
  const look = () =>
    desk.call('GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}', {
      as: shop.member,
      params: { tmk: shop.key, batch_id: body.batch_id },
    })
  await expect.poll(async () => (await look()).body.batch_pdf_urls.download).not.toBeNull()
  link = new URL((await look()).body.batch_pdf_urls.download ?? '')
  s3.requests.length = 0
})
afterEach(() => s3.objects.clear())

const follow = (headers: Record<string, string> = {}, to = link) => fetch(to, { headers, redirect: 'manual' })

test.each([
  ['a person who opens it', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
  ['a program', {}],
] as const)('GAP-142 a signed link leads %s to the store, for two minutes', async (_who, headers) => {
  const answer = await follow(headers)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store'])
  const location = new URL(answer.headers.get('location') ?? '')
  expect([location.hostname, location.searchParams.get('X-Amz-Expires')]).toEqual(['localhost', '120'])
  const file = await fetch(location)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w-]+\.csv"$/)
  expect(Buffer.from(await file.arrayBuffer())).toEqual([...s3.objects.values()][0]?.bytes)
})

test.each([
  ['fetches of the dashboard', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
  ['fetches that only show a credential', { authorization: 'Bearer x' }],
  ['frames of the dashboard', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
] as const)('%s get the bytes from this server, which is all that they may reach', async (_who, headers) => {
  const answer = await follow(headers)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(Buffer.from(await answer.arrayBuffer())).toEqual([...s3.objects.values()][0]?.bytes)
})

test('our own signature is checked first, and the store gets no request for a forbidden file', async () => {
  const forged = new URL(link)
  forged.searchParams.set('exp', String(Number(link.searchParams.get('exp')) + 1))
  expect((await follow({}, forged)).status).toBe(403)
  expect(s3.requests).toEqual([])
})

test('a missing file, or an unreachable store, gives our own sentence and not the store’s page', async () => {
  s3.objects.clear()
  const gone = await follow()
  expect([gone.status, ((await gone.json()) as { code: string }).code]).toEqual([404, 'not_found'])
  s3.next(...Array.from({ length: 3 }, () => ({ status: 502, text: '<html>' })))
  const away = await follow()
  expect(away.status).toBe(502)
  expect(((await away.json()) as { message: string }).message).toContain('The object store has a problem')
})

test('people are not redirected to a store that they cannot reach', async () => {
  const hidden = await desk.another({ ...environment, S3_PUBLIC_ENDPOINT: 'none' })
  const answer = await follow({}, new URL(`${link.pathname}${link.search}`, hidden.url))
  expect(answer.status).toBe(200)
})
