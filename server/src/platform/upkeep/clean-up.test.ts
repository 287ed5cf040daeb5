import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { cleanUp } from './clean-up.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(() => desk.stop())

const sql = (text: string, values: unknown[] = []) => desk.owner.query(text, values)
const count = async (table: string) => Number((await sql(`select count(*) as n from ${table}`)).rows[0]?.n)

test('expired rows go, and rows that somebody may still need stay', async () => {
  await cleanUp(desk.app.db, desk.upkeep)
  const sessions = await count('sessions')
  const user = shop.owner.id
  await sql(
    "insert into sessions (session_id, user_id, expires_at) values ('old', $1, now() - interval '1 s')",
    [user],
  )
  await sql(
    `insert into one_time_tokens (token_hash, purpose, user_id, expires_at)
     values ('old', 'x', $1, now() - interval '8 days'), ('new', 'x', $1, now() - interval '6 days')`,
    [user],
  )
  await sql(
    `insert into rate_limits (limit_key, hits, resets_at)
     values ('old', 1, now() - interval '1 s'), ('new', 1, now() + interval '1 hour')`,
  )
  await sql(
    `insert into order_presence (merchant_id, user_id, screen, order_id, name, activity, expires_at)
     values ($1, 'u', 'old', '1', 'A', 'viewing', now() - interval '1 s'), ($1, 'u', 'new', '1', 'A', 'viewing', now() + interval '6 s')`,
    [shop.key],
  )
  await sql(
    `insert into text_messages (merchant_id, message_id, sent_by, number, body, service, state, leased_until, created_at)
     values ($1, 'old', 'u', '+1', 'b', 's', 'sent', now(), now() - interval '8 days'), ($1, 'new', 'u', '+1', 'b', 's', 'sent', now(), now())`,
    [shop.key],
  )
  // Of the told messages only the refusals are kept for longer, since the device has to learn of them.
  await sql(
    `insert into push_messages (merchant_id, message_id, device_id, topic, content, ended_at, error, created_at)
     select $1, name, name, 'due-orders', '{}', now(), error, now() - days * interval '1 day' from (values
       ('told', null, 8), ('just told', null, 6), ('failed', 'The push service answered 403', 8),
       ('refused', 'The push service answered 410', 8), ('long refused', 'The push service answered 410', 91)
     ) as given (name, error, days)`,
    [shop.key],
  )
  const deleted = await cleanUp(desk.app.db, desk.upkeep)
  expect(deleted).toMatchObject({
    order_presence: 1,
    sessions: 1,
    one_time_tokens: 1,
    rate_limits: 1,
    text_messages: 1,
    push_messages: 3,
  })
  expect(await count('sessions')).toBe(sessions)
  const { rows } = await sql('select message_id from push_messages order by 1')
  expect(rows).toEqual([{ message_id: 'just told' }, { message_id: 'refused' }])
  expect(await count("rate_limits where limit_key = 'new'")).toBe(1)
})
