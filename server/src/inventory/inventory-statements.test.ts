import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'

let desk: Desk
let shop: Shop
/** Every text that is sent, since each can be prepared and then keeps its plan in the database's memory for good. */
const texts = new Set<string>()

beforeAll(async () => {
  const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...parts: unknown[]) {
    const [statement] = parts as [{ text?: string } | undefined]
    if (statement?.text?.includes('from offerings')) texts.add(statement.text)
    return send.apply(this, parts) as never
  })
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await desk.stop()
})

test('no limit that a caller chooses makes a prepared statement of its own', async () => {
  for (let limit = 1; limit <= 100; limit++) {
    const { status } = await desk.call('GET /c/v2/offerings', {
      as: shop.member,
      query: { limit, offset: limit % 2 },
    })
    expect(status).toBe(200)
  }
  // The page and the count.
  expect(texts.size).toBe(2)
})
