import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'

let desk: Desk
let own: Shop
let other: Shop
let tables: string[]

async function addPushRows(merchantId: string): Promise<void> {
  await desk.owner.query(
    "insert into push_keys (merchant_id, public_key, private_sealed) values ($1, 'x', 'x')",
    [merchantId],
  )
  await desk.owner.query(
    `insert into push_devices (merchant_id, device_id, user_id, session_id, endpoint_digest, subscription_sealed, due_orders)
     values ($1, 'x', 'x', 'x', 'x', 'x', false)`,
    [merchantId],
  )
  await desk.owner.query(
    `insert into push_messages (merchant_id, message_id, device_id, topic, content, ended_at)
     values ($1, 'x', 'x', 'x', 'x', now())`,
    [merchantId],
  )
}

beforeAll(async () => {
  desk = await openDesk()
  own = await desk.openShop()
  other = await desk.openShop()
  for (const shop of [own, other]) {
    await orderIn(desk, shop, { status: 'CLOSED' })
    const { body: order } = await desk.call('POST /marketplace/v1/orders', {
      as: marketplaceCredential,
      body: anOrder(shop.key),
      headers: { 'idempotency-key': 'one' },
    })
    await desk.owner.query("insert into merchant_secrets (merchant_id, name, sealed) values ($1, 'x', 'y')", [
      shop.key,
    ])
    await desk.owner.query(
      `insert into jobs (merchant_id, job_id, kind, payload) values ($1, 'job', 'of nobody', '{}')`,
      [shop.key],
    )
    await desk.owner.query(
      `insert into batches (merchant_id, batch_id, report_types, requested_by, base_url, total_count)
       values ($1, 'batch', '{}', 'somebody', '', 1)`,
      [shop.key],
    )
    await desk.owner.query(
      `insert into batch_orders (merchant_id, batch_id, position, asked) values ($1, 'batch', 1, 'x')`,
      [shop.key],
    )
    await desk.owner.query(
      `insert into batch_papers (merchant_id, batch_id, position, report_type, bytes) values ($1, 'batch', 1, 'receipt', '')`,
      [shop.key],
    )
    await desk.call('PUT /m/v2/merchant/{tmk}/presence', {
      as: shop.member,
      params: { tmk: shop.key },
      body: { screen: 'till-1', order_id: order.id, activity: 'viewing' },
    })
    await desk.owner.query(
      `insert into text_messages (merchant_id, message_id, sent_by, number, body, service, state, leased_until)
       values ($1, 'x', 'x', '+12125550123', 'x', 'x', 'sent', now())`,
      [shop.key],
    )
    await desk.owner.query(
      `insert into courier_deliveries (merchant_id, order_id, attempt, delivery_id, service, state, packages, asked_by_name, due_at)
       values ($1, '1', 1, '1-1-a', 'x', 'over', 1, 'x', now())`,
      [shop.key],
    )
    await desk.owner.query(
      "insert into courier_proofs (merchant_id, order_id, attempt) values ($1, '1', 1)",
      [shop.key],
    )
    await desk.owner.query(
      `insert into courier_checks (merchant_id, service, decision_no, is_relied_on, reason, decided_by_id, decided_by)
       values ($1, 'X', 1, true, 'x', 'x', 'x')`,
      [shop.key],
    )
    await desk.owner.query('insert into duty_checks (merchant_id, asked_on) values ($1, now())', [shop.key])
    await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/notes', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
      body: { text: 'x' },
    })
    await desk.owner.query('insert into billing_records (merchant_id) values ($1)', [shop.key])
    await desk.owner.query(
      `insert into duty_decisions (merchant_id, rule_id, decision_no, decision, decided_by_id, decided_by)
       values ($1, 'X', 1, 'confirmed', 'x', 'x')`,
      [shop.key],
    )
    await desk.owner.query(
      "insert into alarm_rules (merchant_id, rules, quiet_when_closed) values ($1, '[]', false)",
      [shop.key],
    )
    await desk.owner.query('insert into watches (merchant_id, is_on) values ($1, false)', [shop.key])
    await desk.owner.query(
      "insert into watch_screens (merchant_id, user_id, screen, kind) values ($1, 'x', 'x', 'desk')",
      [shop.key],
    )
    await desk.owner.query(
      `insert into watch_texts (merchant_id, text_id, step, user_id, number, waiting, ended_at)
       values ($1, 'x', 'duty', 'x', '+12125550123', 1, now())`,
      [shop.key],
    )
    await addPushRows(shop.key)
    await desk.owner.query(
      `insert into saved_views (merchant_id, view_id, maker_id, maker, name, search, is_shared)
       values ($1, 'x', 'x', 'x', 'x', '{}', false)`,
      [shop.key],
    )
    await desk.owner.query('insert into saved_view_locks (merchant_id) values ($1)', [shop.key])
    await desk.owner.query(
      "insert into substitute_settings (merchant_id, minutes, silence) values ($1, 30, 'refund')",
      [shop.key],
    )
    await desk.owner.query(
      `insert into substitute_offers (merchant_id, offer_id, order_id, offer, state, until_at)
       values ($1, $1, 'x', '{}', 'over', now())`,
      [shop.key],
    )
    await desk.owner.query("insert into duty_settings (merchant_id, closing) values ($1, 'recorded')", [
      shop.key,
    ])
    await desk.owner.query(
      "insert into closing_decisions (merchant_id, decision_no, closing) values ($1, 1, 'recorded')",
      [shop.key],
    )
    await desk.owner.query(
      `insert into team_invitations (merchant_id, invitation_id, email, email_key, first_name, last_name, roles, token_hash, expires_at)
       values ($1, 'x', 'x', 'x', 'x', 'x', '{}', $1, now())`,
      [shop.key],
    )
  }
  const { rows } = await desk.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped)
     order by 1`,
  )
  tables = rows.map(({ name }) => name)
})
afterAll(async () => desk.stop())

/** Runs statements as the application's role, for this merchant or for none, and rolls them back. */
async function asApplication<T>(
  merchant: string | undefined,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await desk.owner.connect()
  try {
    await client.query('begin')
    await client.query('set local role cellarhand_app')
    if (merchant !== undefined) await client.query(`select set_config('app.merchant', $1, true)`, [merchant])
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function outcome(
  merchant: string | undefined,
  statement: string,
  values: unknown[] = [],
): Promise<string> {
  return asApplication(merchant, async (client) => {
    try {
      const { rowCount, rows } = await client.query<{ found?: number }>(statement, values)
      return String(rows[0]?.found ?? rowCount)
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    }
  })
}

const denied = '42501'

describe('GEN-007 the guards of each merchant’s rows', () => {
  test('every table of merchants has row-level security, for its owner too', async () => {
    const { rows } = await desk.owner.query(
      `select relname from pg_class where relname = any ($1) and relnamespace = 'public'::regnamespace
       and not (relrowsecurity and relforcerowsecurity)`,
      [tables],
    )
    expect(rows).toEqual([])
    expect(tables).toEqual(
      expect.arrayContaining([
        'applications',
        'idempotent_replies',
        'merchants',
        'order_counts',
        'order_history',
        'order_keys',
        'order_search',
        'orders',
        'outbox',
        'users',
      ]),
    )
  })

  test('no role of the application bypasses it, or owns the guarded tables', async () => {
    const { rows } = await desk.owner.query(
      `select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole,
         (select count(*)::int from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p', 'v', 'm')) as owned
       from pg_roles r where rolname in ('cellarhand_app', 'cellarhand_system') order by 1`,
    )
    const plain = { rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false, owned: 0 }
    expect(rows).toEqual([
      { rolname: 'cellarhand_app', ...plain },
      { rolname: 'cellarhand_system', ...plain },
    ])
  })

  test('everything that the application may touch is guarded, in whatever schema', async () => {
    const { rows } = await desk.owner.query(
      `select c.relname, p as privilege from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) p
       where c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)' and c.relkind in ('r', 'p', 'v', 'm', 'f')
         and has_table_privilege('cellarhand_app', c.oid, p) and not c.relrowsecurity`,
    )
    expect(rows).toEqual([])
  })

  // Also of a table that has no rows in this test.
  test('each policy of the application, and of everybody, lets it see and write the rows of its merchant alone', async () => {
    const own = '(merchant_id = ( SELECT current_merchant() AS current_merchant))'
    const { rows } = await desk.owner.query(
      `select tablename, cmd, qual, with_check from pg_policies
       where roles && '{cellarhand_app,public}' and (
         coalesce(qual, with_check) is null or qual <> $1 or with_check <> $1) order by 1`,
      [own],
    )
    // The rules of law are the same for every merchant.
    const read = { cmd: 'SELECT', qual: 'true', with_check: null }
    expect(rows).toEqual(['duty_rule_versions', 'duty_rules'].map((tablename) => ({ tablename, ...read })))
  })

  test('no further function of the application runs as the system', async () => {
    const { rows } = await desk.owner.query<{ name: string }>(
      `select proname as name from pg_proc
       where pronamespace::regnamespace::text !~ '^(pg_|information_schema)' and prosecdef
         and has_function_privilege('cellarhand_app', oid, 'execute') order by 1`,
    )
    // Each refuses another merchant, or says of it what callers may know: whose number an order has, and who is moving.
    expect(rows.map(({ name }) => name)).toEqual([
      'closed_merchants',
      'find_orders_by_text',
      'merchant_of_order',
      'next_order_number',
      'require_open',
    ])
  })
})

describe('GEN-007 no row of another merchant, though no statement here names a merchant', () => {
  test('reading', async () => {
    for (const table of tables) {
      const foreign = `select count(*)::int as found from ${table} where merchant_id is distinct from $1`
      expect([table, await outcome(own.key, foreign, [own.key])]).toEqual([
        table,
        expect.stringMatching(/^(0|42501)$/),
      ])
      const all = `select count(*)::int as found from ${table}`
      for (const nobody of [undefined, '', 'no-such-shop'])
        expect([table, await outcome(nobody, all)]).toEqual([table, expect.stringMatching(/^(0|42501)$/)])
    }
    expect(Number(await outcome(own.key, 'select count(*)::int as found from orders'))).toBe(2)
  })

  test('changing and deleting', async () => {
    for (const table of tables) {
      for (const statement of [
        `update ${table} set merchant_id = merchant_id where merchant_id = $1`,
        `delete from ${table} where merchant_id = $1`,
      ])
        expect([statement, await outcome(own.key, statement, [other.key])]).toEqual([
          statement,
          expect.stringMatching(/^(0|42501)$/),
        ])
      for (const nobody of [undefined, '']) {
        const statement = `update ${table} set merchant_id = merchant_id`
        expect([statement, await outcome(nobody, statement)]).toEqual([
          statement,
          expect.stringMatching(/^(0|42501)$/),
        ])
      }
    }
    expect(await outcome(own.key, 'update orders set version = version')).toBe('2')
  })

  test('giving a row away, and inserting one for another merchant', async () => {
    for (const table of tables) {
      expect([table, await outcome(own.key, `update ${table} set merchant_id = $1`, [other.key])]).toEqual([
        table,
        denied,
      ])
      const { rows } = await desk.owner.query<{ row: string }>(
        `select row_to_json(t)::text as row from ${table} t where merchant_id = $1 limit 1`,
        [other.key],
      )
      const sample = rows[0]?.row ?? JSON.stringify({ merchant_id: other.key })
      const insert = `insert into ${table} overriding system value select * from json_populate_record(null::${table}, $1)`
      for (const merchant of [own.key, undefined])
        expect([table, await outcome(merchant, insert, [sample])]).toEqual([table, denied])
    }
  })

  test('not through the search either, which runs as the system', async () => {
    const find = `select count(*)::int as found from find_orders_by_text($1, 'names', 'nakamura', 10)`
    expect(await outcome(own.key, find, [own.key])).toBe('2')
    expect(await outcome(own.key, find, [other.key])).toBe('P0001')
    expect(await outcome(undefined, find, [other.key])).toBe('P0001')
    expect(await outcome(undefined, find, [null])).toMatch(/^(0|P0001)$/)
    const inject = `select count(*)::int as found from find_orders_by_text($1, 'names from order_search; --', 'x', 10)`
    expect(await outcome(own.key, inject, [own.key])).toBe('P0001')
  })
})
