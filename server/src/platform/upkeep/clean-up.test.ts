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
    `insert into idempotent_replies (merchant_id, scope, idempotency_key, request_hash, status, reply, created_at)
     values ($1, 's', 'old', '', 200, '', now() - interval '8 days'), ($1, 's', 'new', '', 200, '', now() - interval '6 days')`,
    [shop.key],
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
    idempotent_replies: 1,
    text_messages: 1,
    push_messages: 3,
  })
  expect(await count('sessions')).toBe(sessions)
  const { rows } = await sql('select message_id from push_messages order by 1')
  expect(rows).toEqual([{ message_id: 'just told' }, { message_id: 'refused' }])
  expect(await count("rate_limits where limit_key = 'new'")).toBe(1)
  expect(await count("idempotent_replies where idempotency_key = 'new'")).toBe(1)
})

test('old events go after their webhook was delivered, except the newest', async () => {
  await sql("insert into webhook_endpoint (url, secret_sealed) values ('https://example.invalid', 'x')")
  await sql('update outbox set webhook_done_at = now() where webhook_due_at is not null')
  const add = async (days: number, done: string, due: string) => {
    const { rows } = await sql(
      `insert into outbox (merchant_id, kind, payload, occurred_at, position, webhook_due_at, webhook_done_at)
       values ($1, 'k', '{}', now() - make_interval(days => $2), nextval('outbox_positions'), ${due}, ${done}) returning event_id`,
      [shop.key, days],
    )
    return String(rows[0]?.event_id)
  }
  const far = "now() + interval '1 day'"
  const delivered = await add(8, 'now()', far)
  const unasked = await add(8, 'null', 'null')
  const waiting = await add(8, 'null', far)
  const young = await add(6, 'now()', far)
  const newest = await add(8, 'now()', far)
  await cleanUp(desk.app.db, desk.upkeep)
  const left = async () =>
    (await sql('select event_id from outbox where merchant_id = $1 order by event_id', [shop.key])).rows.map(
      (row) => String(row.event_id),
    )
  expect(await left()).toEqual([waiting, young, newest])
  expect([delivered, unasked]).toHaveLength(2)

  // Without a receiver, an old event is of no use either.
  await sql('delete from webhook_endpoint')
  await cleanUp(desk.app.db, desk.upkeep)
  expect(await left()).toEqual([young, newest])
})
