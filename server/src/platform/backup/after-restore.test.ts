import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAppOn } from '../../../test/processes/app-on.ts'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  password,
  type Desk,
  type Shop,
} from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { leastVersionAt, orderNumberAt } from './go-on-elsewhere.ts'
import { takeStep } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'
import { at, minutesMs, openRestoreRoom, type RestoreRoom } from '../../../test/database/restore-room.ts'

let desk: Desk
let shop: Shop
let room: RestoreRoom
let backup: string
let first: Order
const receiver = http.createServer()
const received: { id: string; body: string }[] = []
const events = () => new Set(received.map(({ id }) => id))

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  room = await openRestoreRoom()
  receiver.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id']), body })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  await desk.call('PUT /marketplace/v1/webhook', {
    as: marketplaceCredential,
    body: { url: `http://127.0.0.1:${port}/hook`, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  first = await desk.order(shop)
  await takeStep(desk, shop, { order: first, step: 'accept' })
  await desk.orders(shop, 4)
  backup = await room.backUp(desk, 'backup')
}, minutesMs)
afterAll(async () => {
  await desk.stop()
  receiver.closeAllConnections()
  receiver.close()
  await room.clear()
}, minutesMs)

interface Life {
  readonly orders: Order[]
}

/** Sends and changes orders, at the given server. */
async function live(url: string, count: number): Promise<Life> {
  const orders: Order[] = []
  for (let place = 0; place < count; place++) {
    const reply = await fetch(`${url}/marketplace/v1/orders`, {
      method: 'POST',
      headers: { authorization: marketplaceCredential, 'content-type': 'application/json' },
      body: JSON.stringify(anOrder(shop.key)),
    })
    expect(reply.status).toBe(201)
    orders.push((await reply.json()) as Order)
  }
  return { orders }
}

async function tell(url: string, status: string): Promise<Order> {
  const reply = await fetch(`${url}/marketplace/v1/orders/${first.id}/status`, {
    method: 'POST',
    headers: { authorization: marketplaceCredential, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Order
}

const newestOf = (lives: readonly Order[][]) => Math.max(...lives.flat().map(({ id }) => Number(id)))

const versionOf = ({ body }: { body: string }) => {
  const { data } = JSON.parse(body) as { data: { id: string; version: number } }
  return data.id === first.id ? data.version : 0
}

test(
  'two desks restored from one backup never repeat a webhook id, order number, position or version',
  async () => {
    const lives = [(await live(desk.url, 5)).orders]
    await tell(desk.url, 'CANCELLED')
    // An event may come twice, when a busy machine answers late.
    await eventually(() => expect(events().size).toBe(12))
    const [position] = (await desk.owner.query<{ max: string }>('select max(position) from outbox')).rows
    let lastPosition = Number(position?.max)
    for (const _again of [1, 2]) {
      // A shop gives fewer numbers than one every two seconds. These lives are short, so the clock has to catch up.
      await eventually(() => expect(orderNumberAt(Date.now(), 0)).toBeGreaterThan(newestOf(lives)))
      const name = await room.emptyDatabase()
      expect(await room.run(['restore', '--from', backup], name)).toMatchObject({ code: 0 })
      const newest = Math.max(...received.map(versionOf))
      const told = events().size
      const { app, url } = await startAppOn(at(name))
      try {
        lives.push((await live(url, 5)).orders)
        const changed = await tell(url, 'PAYMENT_DECLINED')
        expect(changed.version).toBeGreaterThan(newest)
        await eventually(async () => {
          const due = await app.db.systemQuery(
            'select 1 from outbox where webhook_due_at is not null and webhook_done_at is null',
          )
          expect(due.length).toBeGreaterThanOrEqual(6)
        })
        expect(events().size).toBe(told)
        expect((await room.run(['held'], name)).out).toMatch(/[1-9]\d* wait, until: npm run admin -- release/)
        expect((await room.run(['release'], name)).code).toBe(0)
        await eventually(() => expect(events().size).toBeGreaterThanOrEqual(told + 6))
        const [from] = await app.db.systemQuery<{ position: number }>(
          'select min(position) as position from outbox',
        )
        expect(from?.position).toBeGreaterThan(lastPosition + 1)
        const [to] = await app.db.systemQuery<{ position: number }>(
          'select max(position) as position from outbox',
        )
        lastPosition = to?.position ?? Infinity
      } finally {
        await app.close()
      }
    }
    const numbers = lives.flat().map(({ id }) => id)
    expect(new Set(numbers).size).toBe(15)
    const bodies = new Map<string, string>()
    for (const { id, body } of received) expect(bodies.get(id) ?? body).toBe((bodies.set(id, body), body))
  },
  minutesMs,
)

test(
  'each restore continues beyond every earlier one, even when it begins from an older backup',
  async () => {
    let before = { number: 0, position: 0, version: 0 }
    const newer = join(room.folder, 'newer')
    for (const { from, status } of [
      { from: backup, status: 'PAYMENT_DECLINED' },
      { from: newer, status: 'CANCELLED' },
      { from: backup, status: 'CANCELLED' },
    ]) {
      // A shop gives fewer versions than one a second, and fewer numbers. These lives are short, so the clock has to
      // catch up.
      await eventually(() => expect(leastVersionAt(Date.now())).toBeGreaterThan(before.version))
      // With the orders that may have been given since the backup: here one or two.
      await eventually(() => expect(orderNumberAt(Date.now(), 0)).toBeGreaterThan(before.number + 4))
      const name = await room.emptyDatabase()
      expect(await room.run(['restore', '--from', from], name)).toMatchObject({ code: 0 })
      const [oldest] = await room.query<{ position: number }>(
        name,
        'select min(position) as position from outbox',
      )
      const { app, url } = await startAppOn(at(name))
      try {
        const [order] = (await live(url, 1)).orders
        const { version } = await tell(url, status)
        const newest = await eventually(async () => {
          const unpublished = await app.db.systemQuery('select 1 from outbox where position is null')
          expect(unpublished).toEqual([])
          return app.db.systemQuery<{ position: number }>('select max(position) as position from outbox')
        })
        const number = Number(order?.id)
        expect(number).toBeGreaterThan(before.number)
        expect(oldest?.position).toBeGreaterThan(before.position)
        expect(version).toBeGreaterThan(before.version)
        before = { number, position: newest[0]?.position ?? Infinity, version }
        if (status === 'PAYMENT_DECLINED')
          expect(await room.run(['backup', '--to', newer], name)).toMatchObject({ code: 0 })
      } finally {
        await app.close()
      }
    }
    // People must still be able to read the number out.
    expect(String(before.number).length).toBeLessThanOrEqual(10)
  },
  minutesMs,
)

test(
  'after a restore nobody is signed in, no link works, and nothing that waited at the backup goes out by itself',
  async () => {
    const source = await openDesk()
    try {
      const its = await source.openShop()
      const order = await source.order(its)
      await source.owner.query(
        `insert into outgoing_mails (mail_id, recipient, subject, letter_sealed, due_at) values ('m-1', 'ada@example.com', 'Your download is ready', 'sealed', now() + interval '1 hour')`,
      )
      await source.owner.query(
        `insert into one_time_tokens (token_hash, purpose, user_id, expires_at) values ('hash', 'set_password', $1, now() + interval '1 day')`,
        [its.member.id],
      )
      await source.owner.query(
        `insert into team_invitations (merchant_id, invitation_id, email, email_key, first_name, last_name, roles, token_hash, expires_at)
         values ($1, 'i-1', 'ada@example.com', 'ada@example.com', 'Ada', 'Cole', '{merch.user}', 'hash', now() + interval '1 day')`,
        [its.key],
      )
      await source.owner.query(
        `insert into batches (merchant_id, batch_id, report_types, requested_by, base_url, total_count) values ($1, 'b-1', '{labels}', $2, 'http://x', 1)`,
        [its.key, its.member.id],
      )
      await source.owner.query(
        `insert into batch_orders (merchant_id, batch_id, position, asked, order_id) values ($1, 'b-1', 1, $2, $2)`,
        [its.key, order.id],
      )
      await source.owner.query(
        `insert into jobs (merchant_id, job_id, kind, payload, due_at) values ($1, 'j-1', 'labels', '{}', now() + interval '1 hour')`,
        [its.key],
      )
      await source.owner.query(
        `insert into label_purchases (merchant_id, purchase_id, order_id, state, provider, provider_account, actor, lease_until)
         values ($1, '00000000-0000-4000-8000-000000000001', $2, 'running', 'elsewhere', 'a', '{}', now() + interval '1 hour')`,
        [its.key, order.id],
      )
      await source.owner.query(
        `insert into shipping_labels (merchant_id, purchase_id, box, order_id, state, weight, insurance, shipment, rate)
         values ($1, '00000000-0000-4000-8000-000000000001', 1, $2, 'quoted', 3, 0, 'shp_1', 'rate_1')`,
        [its.key, order.id],
      )
      const from = await room.backUp(source, 'waiting')
      const name = await room.emptyDatabase()
      expect(await room.run(['restore', '--from', from], name)).toMatchObject({ code: 0 })

      const { app, url } = await startAppOn(at(name))
      try {
        const session = { headers: { authorization: `Bearer ${its.member.token}` } }
        expect((await fetch(`${url}/a/v2/sessions`, session)).status).toBe(401)
        const again = await fetch(`${url}/a/v2/sessions`, {
          method: 'POST',
          headers: { authorization: applicationCredential, 'content-type': 'application/json' },
          body: JSON.stringify({ email: its.member.email, password }),
        })
        expect(again.status).toBe(201)
        const news = await fetch(`${url}/v1/documents/merchant_dashboard_news`)
        expect(await news.text()).toContain('restored from a backup')
      } finally {
        await app.close()
      }
      expect(await room.query(name, 'select 1 from one_time_tokens where used_at is null')).toEqual([])
      expect(await room.query(name, 'select expires_at > now() as is_good from team_invitations')).toEqual([
        { is_good: false },
      ])
      expect(await room.query(name, 'select 1 from jobs')).toEqual([])
      expect(await room.query(name, 'select state from shipping_labels')).toEqual([{ state: 'buying' }])
      const held = await room.run(['held'], name)
      expect(held.out).toContain('to ada@example.com: Your download is ready')
      expect(held.out).toMatch(/Batches that the restore ended.*: 1/)
      expect(held.out).toContain('1 label purchases')
      expect((await room.run(['release'], name)).out).toContain('Mails dropped: ')
      expect(
        await room.query(name, 'select 1 from outgoing_mails where sent_at is null and given_up_at is null'),
      ).toEqual([])
    } finally {
      await source.stop()
    }
  },
  minutesMs,
)
