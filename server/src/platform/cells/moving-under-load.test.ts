import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTwoCells, type TwoCells } from '../../../test/cells.ts'
import { done } from '../../../test/processes/run-command.ts'
import { minutesMs } from '../../../test/database/restore-room.ts'
import { marketplaceCredential, type Shop } from '../../../test/desk.ts'
import { listen } from '../../../test/event-reader.ts'
import { eventually } from '../../../test/eventually.ts'
import {
  exportIdOf,
  receiveWebhooks,
  startMarketplace,
  type Acknowledged,
  type Receiver,
} from '../../../test/moving-marketplace.ts'

let cells: TwoCells
let shop: Shop
let receiver: Receiver

beforeAll(async () => {
  cells = await openTwoCells()
  shop = await cells.old.desk.openShop('harbor')
  receiver = await receiveWebhooks()
  for (const { desk } of [cells.old, cells.other])
    await desk.call('PUT /marketplace/v1/webhook', {
      as: marketplaceCredential,
      body: receiver.registration,
    })
}, minutesMs)
afterAll(async () => {
  await cells.stop()
  receiver.close()
}, minutesMs)

test(
  'while a merchant moves, every acknowledged change arrives once, and no webhook id has two contents',
  async () => {
    const { old, other, folder, keyFile } = cells
    const writer = startMarketplace({
      origin: old.desk.url,
      key: shop.key,
      authorization: marketplaceCredential,
    })
    const enough = (least: number) =>
      eventually(() => expect(writer.acknowledged.size).toBeGreaterThan(least))
    await enough(20)
    const screen = await listen(old.desk, { key: shop.key, as: shop.owner })
    const of = ['--merchant', shop.key]
    const beganMs = performance.now()
    await done(old.admin('move-merchant', ...of, '--start', '--seconds', '600'))
    const to = join(folder, 'under-load')
    await done(old.admin('export-merchant', ...of, '--to', to, '--key-file', keyFile))
    await done(other.admin('import-merchant', '--from', to, '--key-file', keyFile))
    const led = ['--to', other.desk.url, '--export', await exportIdOf(to)]
    await done(old.admin('move-merchant', ...of, ...led))
    await done(other.admin('move-merchant', ...of, '--open'))
    const endedMs = performance.now()
    await enough(writer.acknowledged.size + 20)
    await writer.stop()

    // Changes wait between the start and the opening alone; afterwards they are led to the new cell.
    const waits = writer.refused.filter(({ code }) => code === 'merchant_moving')
    expect(waits.length).toBeGreaterThan(0)
    expect(waits.filter(({ atMs, untilMs }) => untilMs < beganMs || atMs > endedMs)).toEqual([])
    expect(writer.led.length).toBeGreaterThan(0)
    expect(writer.led.every((url) => url.startsWith(`${other.desk.url}/marketplace/v1/orders`))).toBe(true)
    // The screens of the old cell hear where their shop is.
    const news = await screen.next(({ event }) => event === 'moved')
    expect(news.data).toEqual({ to: other.desk.url })
    await screen.ended

    const { rows: there } = await other.desk.owner.query<Acknowledged & { past: number; refs: number }>(
      `select order_id as id, version,
         (select count(*)::int from order_history h where h.merchant_id = o.merchant_id and h.order_id = o.order_id) as past
       from orders o where merchant_id = $1`,
      [shop.key],
    )
    const versions = new Map(there.map((row) => [row.id, row]))
    expect(there.length).toBe(versions.size)
    for (const { id, version } of writer.acknowledged.values()) {
      expect([id, versions.get(id)?.version, versions.get(id)?.past]).toEqual([id, version, version])
    }
    expect(there.length).toBe(writer.acknowledged.size)

    await eventually(async () => {
      const { rows } = await other.desk.owner.query(
        'select 1 from outbox where merchant_id = $1 and (position is null or (webhook_due_at is not null and webhook_done_at is null))',
        [shop.key],
      )
      expect(rows).toEqual([])
    })
    const contents = new Map<string, string>()
    for (const { id, body } of receiver.received)
      expect(contents.get(id) ?? body).toBe((contents.set(id, body), body))
    const { rows: events } = await other.desk.owner.query<{ webhook_id: string }>(
      'select webhook_id from outbox where merchant_id = $1',
      [shop.key],
    )
    expect(events.map(({ webhook_id: id }) => id).toSorted()).toEqual([...contents.keys()].toSorted())
    expect(events.length).toBeGreaterThan(writer.acknowledged.size)
    // Positions follow each other in the new cell, and none is given twice.
    const { rows: positions } = await other.desk.owner.query<{ n: number; distinct_n: number }>(
      'select count(*)::int as n, count(distinct position)::int as distinct_n from outbox',
    )
    expect(positions[0]?.n).toBe(positions[0]?.distinct_n)
  },
  minutesMs,
)
