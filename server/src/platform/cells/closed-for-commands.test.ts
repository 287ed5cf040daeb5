import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTwoCells, type TwoCells } from '../../../test/cells.ts'
import { done } from '../../../test/processes/run-command.ts'
import { minutesMs } from '../../../test/database/restore-room.ts'
import type { Shop } from '../../../test/desk.ts'

let cells: TwoCells
let shop: Shop
let stock: string
beforeAll(async () => {
  cells = await openTwoCells()
  const { desk } = cells.old
  shop = await desk.openShop('harbor')
  await desk.order(shop)
  stock = join(cells.folder, 'stock.csv')
  await writeFile(stock, 'offering_id,price,quantity\nnew-one,12.50,6\n')
  await desk.owner.query(
    `update outbox set webhook_id = 'evt_given_up', webhook_done_at = now(), webhook_error = 'given up'
     where event_id = (select min(event_id) from outbox where merchant_id = $1 and not is_internal)`,
    [shop.key],
  )
  await desk.owner.query(
    `insert into outgoing_mails (mail_id, merchant_id, recipient, subject, due_at)
     values ('held', $1, 'a@harbor.example', 'Held', 'infinity')`,
    [shop.key],
  )
}, minutesMs)
afterAll(() => cells.stop(), minutesMs)

/** The commands that write rows of one merchant, with their arguments. */
const changes: Readonly<Record<string, () => readonly string[]>> = {
  'create-user': () =>
    `--email new@harbor.example --first-name A --last-name B --merchant ${shop.key} --role merch.user`.split(
      ' ',
    ),
  'set-password': () => ['--email', shop.owner.email],
  'set-onboarded': () => ['--merchant', shop.key, '--off'],
  'reset-two-step': () => ['--email', shop.owner.email],
  'import-inventory': () => ['--merchant', shop.key, stock],
  'send-again': () => ['--event', 'evt_given_up'],
}

/** The others, each with the reason why it loses nothing of a closed merchant. */
const others: Readonly<Record<string, string>> = {
  'create-merchant': 'makes a new merchant, and the insert of its owner asks',
  'publish-content': 'belongs to no merchant',
  'check-providers': 'belongs to no merchant',
  held: 'reads',
  release: 'leaves out the mails of closed merchants',
  'given-up': 'reads',
  'rotate-key': 'changes the seal and not the text',
  'inspector-file': 'reads',
  purge: 'leaves out closed merchants',
  'load-duties': 'belongs to no merchant',
  backup: 'reads',
  restore: 'fills an empty database',
  'export-merchant': 'is a step of the move',
  'import-merchant': 'is a step of the move',
  'move-merchant': 'is a step of the move',
  'remove-merchant': 'is a step of the move',
  'number-orders': 'belongs to no merchant',
  'upgrade-database': 'takes the whole database along',
  help: 'reads',
}

/** All rows of the merchant. */
async function bookOf(): Promise<string> {
  const tables = ['merchants', 'offerings', 'users', 'outbox', 'outgoing_mails', 'one_time_tokens']
  const rows = await Promise.all(
    tables.map(async (table) => {
      const which = table === 'one_time_tokens' ? '' : ' where merchant_id = $1'
      const { rows: found } = await cells.old.desk.owner.query(
        `select coalesce(json_agg(t order by t::text), '[]')::text as rows from ${table} t${which}`,
        which === '' ? [] : [shop.key],
      )
      return found
    }),
  )
  return JSON.stringify(rows)
}

test('each admin command is known to ask whether its merchant is open, or to need no answer', async () => {
  const help = await done(cells.old.admin('help'))
  const names = [...help.matchAll(/^([a-z-]+)\n {2}\S/gm)].map(([, name]) => name)
  expect(names.toSorted()).toEqual([...Object.keys(changes), ...Object.keys(others)].toSorted())
})

test(
  'a command changes nothing of a merchant on its way to another cell, or there, and says where to run it',
  async () => {
    const { old, other, folder, keyFile } = cells
    const of = ['--merchant', shop.key]
    await done(old.admin('move-merchant', ...of, '--start', '--seconds', '600'))
    const before = await bookOf()
    for (const [name, argumentsOf] of Object.entries(changes)) {
      const { code, err } = await old.admin(name, ...argumentsOf())
      expect([name, code, err]).toEqual([name, 1, expect.stringContaining('on its way to another cell')])
    }
    expect(await done(old.admin('send-again', '--all'))).toContain('sent again: 0')
    expect(await done(old.admin('release'))).toContain('dropped: 0')
    expect(await bookOf()).toBe(before)

    const to = join(folder, 'harbor')
    await done(old.admin('export-merchant', ...of, '--to', to, '--key-file', keyFile))
    const out = await done(other.admin('import-merchant', '--from', to, '--key-file', keyFile))
    const [, exportId = ''] = /--export (\S+)/.exec(out) ?? []
    await done(old.admin('move-merchant', ...of, '--to', 'https://two.example', '--export', exportId))
    for (const [name, argumentsOf] of Object.entries(changes)) {
      const { code, err } = await old.admin(name, ...argumentsOf())
      expect([name, code, err]).toEqual([name, 1, expect.stringContaining('moved to https://two.example')])
    }
    expect(await bookOf()).toBe(before)
    // In the new cell the same commands have their effect once it is open.
    await done(other.admin('move-merchant', ...of, '--open'))
    for (const name of ['import-inventory', 'set-onboarded', 'send-again'])
      await done(other.admin(name, ...(changes[name]?.() ?? [])))
  },
  minutesMs,
)
