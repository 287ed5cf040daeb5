import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk } from '../../../test/desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())

/** The merchants themselves, the installation's own, and persons with more than one merchant. */
const ofNoMerchant = ['merchants', 'outgoing_mails', 'sandbox_payment_accounts', 'users']

test('every key of a merchant’s table begins with the merchant', async () => {
  const { rows } = await desk.owner.query<{ name: string; first: string }>(
    `select c.relname as name, first.attname as first from pg_class c
     join pg_index x on x.indrelid = c.oid and x.indisunique
     join pg_attribute first on first.attrelid = c.oid and first.attnum = x.indkey[0]
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> all ($1)
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped)`,
    [ofNoMerchant],
  )
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['orders', 'outbox']))
  expect(rows.filter(({ first }) => first !== 'merchant_id')).toEqual([])
})
