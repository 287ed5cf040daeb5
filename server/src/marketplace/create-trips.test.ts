import { createOrder } from '#orders/public.ts'
import { openDatabase, type Database } from '#platform/db/database.ts'
import { runCommand } from '#platform/http/idempotency.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { openWire, type Wire } from '../../test/database/wire.ts'
import { anOrder } from '../../test/orders.ts'

let desk: Desk
let shop: Shop
let wire: Wire
let db: Database
/** How often the client waits for the database, from the statements that carry this text to the end of COMMIT. */
let counted: { readonly from: string; trips: number; isOver: boolean }
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  wire = await openWire((near, far) => {
    let isCounting = false
    let isAsking = false
    near.on('data', (chunk: Buffer) => {
      isCounting ||= chunk.includes(counted.from)
      if (isCounting && !isAsking && !counted.isOver) counted.trips += 1
      isAsking = true
      far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      isAsking = false
      if (isCounting && chunk.includes('COMMIT')) counted.isOver = true
      near.write(chunk)
    })
  })
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  db = openDatabase({ url: wire.urlOf(rows[0]?.name ?? '') }, () => undefined)
})
afterAll(async () => {
  await db.close()
  wire.stop()
  await desk.stop()
})

const marketplace = { kind: 'marketplace', id: null, name: 'Marketplace' } as const

async function create(key: string, incoming = anOrder(shop.key)) {
  counted = { from: key, trips: 0, isOver: false }
  return runCommand(
    db,
    { merchantId: shop.key, idempotent: { scope: 'marketplace POST /orders', key, hash: 'h' } },
    async (statements) => ({ status: 201, text: await createOrder(statements, incoming, marketplace) }),
  )
}

test('a far database delays an order by four round trips: the key, the merchant, the rows, the reply and its end', async () => {
  const incoming = anOrder(shop.key)
  const first = await create('the-first-key', incoming)
  // The first one also waits for a connection.
  await create('the-second-key')
  expect([counted.isOver, counted.trips]).toEqual([true, 4])
  expect(await create('the-first-key', incoming)).toEqual(first)
  expect(counted.trips).toBe(2)
})

test('a reply that cannot be stored takes its order back', async () => {
  await desk.owner.query(
    `alter table idempotent_replies add constraint no_such_key check (idempotency_key <> 'bad-key')`,
  )
  const incoming = anOrder(shop.key)
  await expect(create('bad-key', incoming)).rejects.toThrow('no_such_key')
  const { rows } = await desk.owner.query('select 1 from orders where order_key = $1', [
    incoming.thirstie_logistic_order_ref,
  ])
  expect(rows).toEqual([])
})
