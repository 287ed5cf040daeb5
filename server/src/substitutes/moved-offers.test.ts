import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTwoCells, type TwoCells } from '../../test/cells.ts'
import { minutesMs } from '../../test/database/restore-room.ts'
import { eventually } from '../../test/eventually.ts'
import { done } from '../../test/processes/run-command.ts'
import { askingOf, holdGin, setSilence, stockGin } from '../../test/substitutes.ts'

let cells: TwoCells
beforeAll(async () => {
  cells = await openTwoCells()
}, minutesMs)
afterAll(() => cells.stop(), minutesMs)

test(
  'after a move the customer’s link leads to the new cell and counts there, and silence rejects no order',
  async () => {
    const { old, other, folder, keyFile } = cells
    const shop = await old.desk.openShop('harbor')
    await stockGin(old.desk, shop)
    await setSilence(old.desk, shop, { minutes: 30, silence: 'reject' })
    const askBy = async (by: 'text' | 'mail') => {
      const held = await holdGin(old.desk, shop)
      const asking = askingOf(old.desk, shop, held)
      expect((await asking.offer({ by })).status).toBe(200)
      const to = by === 'mail' ? (held.order.customer.email ?? '') : held.phone
      const path = await eventually(async () => {
        const arrived = await asking.path(to)
        expect(arrived).not.toBe('/')
        return arrived
      })
      return { id: held.order.id, path }
    }
    const [answering, silentByText, silentByMail] = [
      await askBy('text'),
      await askBy('text'),
      await askBy('mail'),
    ]
    const told = 'select from substitute_offers where told_at is not null'
    await eventually(async () => expect((await old.desk.owner.query(told)).rows).toHaveLength(2))
    const of = ['--merchant', shop.key]
    const to = join(folder, 'harbor')
    await done(old.admin('move-merchant', ...of, '--start', '--seconds', '600'))
    await done(old.admin('export-merchant', ...of, '--to', to, '--key-file', keyFile))
    const out = await done(other.admin('import-merchant', '--from', to, '--key-file', keyFile))
    const [, exportId = ''] = /--export (\S+)/.exec(out) ?? []
    await done(old.admin('move-merchant', ...of, '--to', other.desk.url, '--export', exportId))
    await done(other.admin('move-merchant', ...of, '--open'))

    const choose = (url: string) =>
      fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ choice: 'same' }) })
    const there = `${other.desk.url}${answering.path}`
    const page = await fetch(`${old.desk.url}${answering.path}`, { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([308, there])
    const late = await choose(`${old.desk.url}${answering.path}`)
    expect([late.status, late.headers.get('location')]).toEqual([308, there])
    expect(await (await fetch(there)).text()).toContain('<form')
    expect((await choose(there)).status).toBe(303)
    expect((await fetch(`${there.slice(0, -1)}-`)).status).toBe(404)

    // The customers' time passes.
    const silent = [silentByText.id, silentByMail.id]
    await other.desk.owner.query(
      `update orders set document = regexp_replace(document::text, '"until":"[^"]*"', '"until":"2026-01-01T00:00:00.000Z"')::json
       where order_id = any ($1)`,
      [silent],
    )
    await other.desk.owner.query(
      `update substitute_offers set until_at = now() - interval '1 minute' where order_id = any ($1)`,
      [silent],
    )
    const ends = async () =>
      (
        await other.desk.owner.query(
          'select o.status, f.state from substitute_offers f join orders o using (merchant_id, order_id) order by order_id',
        )
      ).rows
    await eventually(async () =>
      expect(await ends()).toEqual([
        { status: 'REJECTED_PARTIAL', state: 'chosen' },
        { status: 'REJECTED_PARTIAL', state: 'unreached' },
        { status: 'REJECTED_PARTIAL', state: 'unreached' },
      ]),
    )
  },
  minutesMs,
)
