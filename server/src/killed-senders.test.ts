import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../scripts/launch/free-port.mjs'
import { applicationCredential, marketplaceCredential, type Shop } from '../test/desk.ts'
import { eventually } from '../test/eventually.ts'
import { openKillableDesk, type KillableDesk } from '../test/processes/killable-desk.ts'
import { startMailServer, type MailServer } from '../test/providers/mail-server.ts'
import { Road } from '../test/road.ts'

const minuteMs = 60_000

let desk: KillableDesk
let shop: Shop
let mails: MailServer
let road: Road
let receiver: http.Server
let ids: string[]
let isSilent = true

beforeAll(async () => {
  mails = await startMailServer()
  road = new Road({ host: '127.0.0.1', port: Number(new URL(mails.url).port) })
  await road.open()
  ids = []
  receiver = http.createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => isSilent || response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  // Mails need the address that people use, and here that is the server's own.
  const port = await freePort()
  desk = await openKillableDesk({
    SMTP_URL: `smtp://127.0.0.1:${road.address.port}`,
    MAIL_FROM: 'desk@shop.example',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  })
  shop = await desk.openShop()
}, 2 * minuteMs)
afterAll(async () => {
  await desk.stop()
  await road.close()
  await mails.stop()
  receiver.closeAllConnections()
  receiver.close()
}, minuteMs)

test(
  'a mail and an event that a killed process was sending are sent by the next one, by themselves and under their ids',
  async () => {
    road.fallSilent({ forAll: true })
    const { port } = receiver.address() as AddressInfo
    await desk.call('PUT /marketplace/v1/webhook', {
      as: marketplaceCredential,
      body: { url: `http://127.0.0.1:${port}/`, secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
    })
    await desk.order(shop)
    await desk.call('POST /a/v2/accounts/password_token', {
      as: applicationCredential,
      body: { email: shop.owner.email },
    })
    await eventually(async () => {
      const { rows } = await desk.owner.query('select 1 from outgoing_mails where attempts = 1')
      expect([ids.length, rows.length]).toEqual([1, 1])
    })
    await desk.kill()
    // The leases of what it was sending are over.
    await desk.turn(7_000)
    isSilent = false
    await road.close()
    await road.open()
    await desk.start()
    await eventually(() => expect([mails.received.length, ids.length]).toEqual([1, 2]))
    expect(ids[1]).toBe(ids[0])
    expect(mails.received[0]?.to).toEqual([shop.owner.email])
    await eventually(async () => {
      const { rows } = await desk.owner.query(
        `select (select count(*)::int from outgoing_mails where sent_at is null) as mails,
           (select count(*)::int from outbox where webhook_done_at is null) as events`,
      )
      expect(rows).toEqual([{ mails: 0, events: 0 }])
    })
  },
  3 * minuteMs,
)
