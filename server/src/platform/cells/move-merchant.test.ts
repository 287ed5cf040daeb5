import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTwoCells, type TwoCells } from '../../../test/cells.ts'
import { done } from '../../../test/processes/run-command.ts'
import { minutesMs } from '../../../test/database/restore-room.ts'
import { applicationCredential, marketplaceCredential, password, type Shop } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'
import { mailedToken } from '../../../test/providers/mailbox.ts'
import { merchantSecretsPurpose } from '../outside/merchant-secrets.ts'
import { createSealer } from '../sealed-text.ts'
import type { MerchantManifest } from './manifest.ts'

let cells: TwoCells
let shop: Shop
let neighbour: Shop
/** Of the links that were mailed before the move. */
let tokens: { readonly password: string; readonly join: string }
beforeAll(async () => {
  cells = await openTwoCells()
  const { desk } = cells.old
  shop = await desk.openShop('harbor')
  neighbour = await desk.openShop('neighbour')
  for (const status of ['CLOSED', 'MERCHANT_ACCEPTED'] as const) await orderIn(desk, shop, { status })
  await desk.orders(shop, 3)
  await desk.order(neighbour)
  tokens = {
    password: await invited('ada@example.com'),
    join: await invited((await desk.addPerson(null, undefined)).email),
  }
}, minutesMs)
afterAll(() => cells.stop(), minutesMs)

async function invited(email: string): Promise<string> {
  const { desk } = cells.old
  const { status } = await desk.call('POST /c/v2/merchants/{tmk}/users', {
    as: shop.owner,
    params: { tmk: shop.key },
    body: { email, first_name: 'Ada', last_name: 'Cole', roles: ['merch.manager'] },
  })
  expect(status).toBe(201)
  return mailedToken(desk, email)
}

const secret = 'the carrier’s account'

/** A request as it comes over the network; a redirect is an answer like any other. */
async function ask(url: string, path: string, { as, method = 'GET', body, headers = {} }: Asked) {
  return fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: as.startsWith('Basic') ? as : `Bearer ${as}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
interface Asked {
  readonly as: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const rowsOf = async (desk: TwoCells['old']['desk'], table: string, left: string[]) => {
  const { rows } = await desk.owner.query<{ row: object }>(
    `select row_to_json(t)::jsonb - $2::text[] as row from ${table} t where merchant_id = $1 order by 1`,
    [shop.key, left],
  )
  return rows.map(({ row }) => row)
}

const tablesOfMerchants = `select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped)
  order by 1`

test(
  'a merchant moves whole: rows, people, secrets under the new key, files, events; calls follow it',
  async () => {
    const { old, other, folder, keyFile } = cells
    const of = ['--merchant', shop.key]
    const { seal } = createSealer([old.sealingKey], merchantSecretsPurpose)
    await old.desk.owner.query(
      'insert into merchant_secrets (merchant_id, name, sealed) values ($1, $2, $3)',
      [shop.key, 'carrier', seal(secret)],
    )
    const [kept] = (
      await old.desk.owner.query<{ order_id: string }>(
        'select order_id from orders where merchant_id = $1 limit 1',
        [shop.key],
      )
    ).rows
    // As word processors write a new line.
    const noted = await old.desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/notes', {
      as: shop.member,
      params: { tmk: shop.key, id: kept?.order_id ?? '' },
      body: { text: 'Ring twice\u2028or call\u2029the \u0085neighbour' },
    })
    expect(noted.status).toBe(201)
    await done(old.admin('move-merchant', '--merchant', shop.key, '--start', '--seconds', '600'))

    // Changes wait, staff's and the marketplace's; reading and the neighbour go on.
    const order = anOrder(shop.key)
    const placed = { as: marketplaceCredential, method: 'POST', body: order }
    const refused = await ask(old.desk.url, '/marketplace/v1/orders', placed)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, 30])
    expect(await refused.json()).toMatchObject({ code: 'merchant_moving' })
    const reading = `/m/v2/orders/${kept?.order_id}`
    expect((await ask(old.desk.url, reading, { as: shop.owner.token })).status).toBe(200)
    const change = { as: shop.owner.token, method: 'PUT', body: {} }
    expect((await ask(old.desk.url, reading, change)).status).toBe(503)
    await old.desk.order(neighbour)
    // Nobody waits for a mail, or gets a link, that stays behind.
    const forgot = { as: applicationCredential, method: 'POST', body: { email: shop.member.email } }
    const handOver = {
      as: marketplaceCredential,
      method: 'POST',
      body: { user: shop.member.id, merchant: shop.key },
    }
    const links = [
      ['/a/v2/accounts/password_token', forgot],
      ['/marketplace/v1/handover', handOver],
    ] as const
    for (const [path, asked] of links) expect((await ask(old.desk.url, path, asked)).status).toBe(503)

    const to = join(folder, 'harbor')
    await done(old.admin('export-merchant', '--merchant', shop.key, '--to', to, '--key-file', keyFile))
    const manifest = JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8')) as MerchantManifest
    expect(manifest.is_final).toBe(true)
    const { rows: all } = await old.desk.owner.query<{ name: string }>(tablesOfMerchants)
    const named = manifest.tables.map(({ name }) => name)
    expect(all.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([
      'merchant_moves',
      'order_presence',
      'push_devices',
      'push_messages',
      'sandbox_payment_accounts',
      'watch_screens',
    ])
    // Each is one JSON document, and none holds a secret that opens anything.
    for (const name of await readdir(join(to, 'tables'))) {
      const text = await readFile(join(to, 'tables', name), 'utf8')
      expect(JSON.parse(text)).toHaveLength(
        manifest.tables.find((table) => `${table.name}.json` === name)?.rows ?? -1,
      )
      expect(text).not.toContain(secret)
      expect(text).not.toContain('$argon2')
    }

    await done(other.admin('import-merchant', '--from', to, '--key-file', keyFile))
    expect((await ask(other.desk.url, '/marketplace/v1/orders', placed)).status).toBe(503)
    await done(old.admin('move-merchant', ...of, '--to', other.desk.url, '--export', manifest.export_id))
    await done(other.admin('move-merchant', '--merchant', shop.key, '--open'))

    const unlike: Record<string, string[]> = {
      outbox: ['event_id', 'position'],
      merchant_secrets: ['sealed'],
      outgoing_mails: ['letter_sealed'],
      age_check_fields: ['fields_sealed'],
      users: ['two_step_secret_sealed'],
      purged: ['purge_no'],
    }
    for (const { name } of all) {
      if (!named.includes(name)) continue
      const left = unlike[name] ?? []
      expect([name, await rowsOf(other.desk, name, left)]).toEqual([name, await rowsOf(old.desk, name, left)])
    }
    const [sealed] = (
      await other.desk.owner.query<{ sealed: string }>(
        'select sealed from merchant_secrets where merchant_id = $1',
        [shop.key],
      )
    ).rows
    expect(createSealer([other.sealingKey], merchantSecretsPurpose).open(sealed?.sealed ?? '')).toBe(secret)

    // Everything leads on, with method and path.
    for (const [path, asked] of [
      ['/marketplace/v1/orders', placed],
      [`/marketplace/v1/orders/${kept?.order_id}`, { as: marketplaceCredential }],
      [reading, { as: shop.owner.token }],
      [`/m/v2/merchant/${shop.key}/orders/count`, { as: shop.owner.token }],
      ...links,
    ] as const) {
      const answer = await ask(old.desk.url, path, asked)
      expect([answer.status, answer.headers.get('location')]).toEqual([308, `${other.desk.url}${path}`])
    }
    const signIn = { as: applicationCredential, method: 'POST', body: { email: shop.owner.email, password } }
    expect((await ask(old.desk.url, '/a/v2/sessions', signIn)).status).toBe(308)
    // A script of the page cannot follow, so the clerk who signs in there reads where the shop is.
    const byPage = { ...signIn, headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' } }
    const told = await ask(old.desk.url, '/a/v2/sessions', byPage)
    expect([told.status, await told.json()]).toEqual([
      410,
      expect.objectContaining({
        code: 'merchant_moved_away',
        message: `This shop has moved to ${other.desk.url}. Please sign in there.`,
      }),
    ])
    expect((await ask(other.desk.url, '/a/v2/sessions', signIn)).status).toBe(201)
    const created = await ask(other.desk.url, '/marketplace/v1/orders', placed)
    expect(created.status).toBe(201)
    expect(Number(((await created.json()) as { id: string }).id)).toBeGreaterThanOrEqual(2_000_000_000)
  },
  minutesMs,
)

test('the page of a link that was mailed before the move says what its person does now', async () => {
  const { old, other } = cells
  const page = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }
  const asks = [
    [
      '/a/v2/accounts/password',
      { reset_token: tokens.password, new_password: 'a long password' },
      `Please open your link there: ${other.desk.url}/forgot/password-reset/${tokens.password}`,
    ],
    [
      '/a/v2/accounts/invitation/acceptance',
      { token: tokens.join },
      'Please ask the shop to send the invitation again.',
    ],
  ] as const
  for (const [path, body, advice] of asks) {
    const asked = { as: applicationCredential, method: 'POST', body }
    const byPage = await ask(old.desk.url, path, { ...asked, headers: page })
    expect([byPage.status, await byPage.json()]).toMatchObject([
      410,
      { message: `This shop has moved to ${other.desk.url}. ${advice}` },
    ])
    expect((await ask(old.desk.url, path, asked)).status).toBe(308)
  }
  const [[path, body], [joining, token]] = asks
  const set = { as: applicationCredential, method: 'POST', body }
  expect((await ask(other.desk.url, path, set)).status).toBe(200)
  // The account of a person without a shop stays in its cell, so the new one needs another invitation.
  const answer = await ask(other.desk.url, joining, { ...set, body: token })
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    {
      code: 'bad_invitation',
      message: expect.stringContaining('Please ask the shop to send the invitation again.'),
    },
  ])
})

test('the marketplace finds the orders of a moved merchant in its new cell alone', async () => {
  const { old, other } = cells
  const { rows } = await old.desk.owner.query<{ ref: string }>(
    'select order_key as ref from orders where merchant_id = $1 limit 1',
    [shop.key],
  )
  const found = async ({ desk }: typeof old, query: { ref?: string }) => {
    const { body } = await desk.call('GET /marketplace/v1/orders', { as: marketplaceCredential, query })
    return body.orders.filter(({ merchant }) => merchant === shop.key).length
  }
  for (const query of [{}, { ref: rows[0]?.ref ?? '' }]) {
    expect(await found(old, query)).toBe(0)
    expect(await found(other, query)).toBeGreaterThan(0)
  }
})

test('what a merchant has left behind is no open work of its old cell, whose alarms could never end', async () => {
  const { old } = cells
  const { owner } = old.desk
  await old.desk.call('PUT /marketplace/v1/webhook', {
    as: marketplaceCredential,
    body: { url: 'http://127.0.0.1:9/hook', secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  // Each waited, or was given up, when the merchant left.
  for (const [name, done] of [
    ['evt_waits', 'null'],
    ['evt_lost', 'now()'],
  ])
    await owner.query(
      `insert into outbox (merchant_id, kind, payload, position, webhook_id, webhook_due_at, webhook_done_at, webhook_attempts, webhook_error)
       values ($1, 'order.updated', '{"id":"1"}', nextval('outbox_positions'), $2, now(), ${done}, 10, 'The receiver answered 503')`,
      [shop.key, name],
    )
  for (const [name, givenUp] of [
    ['waits', 'null'],
    ['lost', 'now()'],
  ])
    await owner.query(
      `insert into outgoing_mails (mail_id, merchant_id, recipient, subject, letter_sealed, due_at, given_up_at)
       values ($2, $1, 'ada@example.com', 'Late', 'x', 'infinity', ${givenUp})`,
      [shop.key, name],
    )
  await owner.query(
    `insert into jobs (merchant_id, job_id, kind, payload, due_at) values ($1, 'late', 'of nobody', '{}', now() - interval '1 hour')`,
    [shop.key],
  )
  await owner.query('insert into watches (merchant_id, is_on, duty_told_at) values ($1, true, now())', [
    shop.key,
  ])
  const { text } = await old.desk.call('GET /metrics')
  const figures = ['webhooks_waiting', 'webhooks_given_up', 'mails_waiting', 'mails_given_up', 'jobs_late']
  for (const figure of [...figures, 'shops_unwatched']) expect(text).toContain(`cellarhand_${figure} 0\n`)
  const { body } = await old.desk.call('GET /marketplace/v1/webhook', { as: marketplaceCredential })
  expect(body).toMatchObject({ waiting_events: 0, oldest_waiting: null, given_up_events: 0 })
  expect(await done(old.admin('given-up'))).not.toContain('evt_lost')
  expect(await done(old.admin('held'))).not.toContain('ada@example.com')
})
