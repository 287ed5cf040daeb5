import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdRows } from '../../../test/database/held-rows.ts'
import type { Desk, Shop } from '../../../test/desk.ts'
import { openEasyPostDesk } from '../../../test/providers/easypost-desk.ts'
import type { EasyPostServer } from '../../../test/providers/easypost-server.ts'

let easyPost: EasyPostServer
let desk: Desk
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ easyPost, desk, stop } = await openEasyPostDesk())
})
afterAll(() => stop())

function connect(
  at: Shop,
  account: { carrier: 'FedEx' | 'UPS' | 'GSO'; account_number: string | null },
  label_size: '4x6' | '8.5x11' = '4x6',
) {
  return desk.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    as: at.manager,
    params: { tmk: at.key },
    body: { account_zip: '10001', label_size, label_format: 'PDF', ...account },
  })
}
const disconnect = (at: Shop) =>
  desk.call('DELETE /c/v2/merchants/{tmk}/carrier_integration', { as: at.manager, params: { tmk: at.key } })

test('GEN-007 nobody can use or remove another merchant’s account by knowing its number', async () => {
  const [holder, stranger] = [await desk.openShop(), await desk.openShop()]
  const gso = { carrier: 'GSO', account_number: 'G7711' } as const
  expect((await connect(holder, gso)).status).toBe(200)
  const account = easyPost.accounts.at(-1)
  for (const known of [gso, { carrier: 'UPS', account_number: 'X9Y8Z7' } as const]) {
    const { status, refusal } = await connect(stranger, known)
    expect([known.carrier, status, refusal.code]).toEqual([known.carrier, 422, 'account_unauthorized'])
  }
  expect((await disconnect(stranger)).status).toBe(200)
  expect(easyPost.accounts).toContain(account)
  expect((await connect(holder, gso, '8.5x11')).body.label_size).toBe('8.5x11')
  expect((await disconnect(holder)).status).toBe(200)
  expect((await connect(stranger, gso)).status).toBe(200)
})

test('GEN-007 when two merchants connect one account at the same moment, one gets it', async () => {
  easyPost.accounts.push({ id: 'ca_gso', type: 'GsoAccount', reference: 'G5050', credentials: {} })
  const stores = [await desk.openShop(), await desk.openShop(), await desk.openShop()]
  const answers = await Promise.all(
    stores.map((at) => connect(at, { carrier: 'GSO', account_number: 'G5050' })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
})

test('GEN-007 a number that two saves at once registered twice at EasyPost is still nobody else’s', async () => {
  const [holder, stranger] = [await desk.openShop(), await desk.openShop()]
  const gso = { carrier: 'GSO', account_number: 'G4242' } as const
  // The other save, whose account EasyPost lists first.
  easyPost.delay(/^POST .*carrier_accounts/, async () => {
    easyPost.accounts.push({ id: 'ca_other', type: 'GsoAccount', reference: 'G4242', credentials: {} })
  })
  expect((await connect(holder, gso)).status).toBe(200)
  const [row] = await rowsOf(holder)
  expect(row?.provider_account).not.toBe('ca_other')
  const { status, refusal } = await connect(stranger, gso)
  expect([status, refusal.code]).toEqual([422, 'account_unauthorized'])
})

test('GEN-007 when two merchants register one number at the same moment, one gets it', async () => {
  const stores = [await desk.openShop(), await desk.openShop()]
  const both = Promise.withResolvers<void>()
  let registering = 0
  const meet = async () => {
    registering += 1
    if (registering === stores.length) both.resolve()
    await both.promise
  }
  for (const _ of stores) easyPost.delay(/^POST .*carrier_accounts/, meet)
  const answers = await Promise.all(
    stores.map((at) => connect(at, { carrier: 'GSO', account_number: 'G6161' })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
})

test('an account that another merchant also has stays at EasyPost when the first disconnects it', async () => {
  const [first, second] = [await desk.openShop(), await desk.openShop()]
  await connect(first, { carrier: 'GSO', account_number: 'G9988' })
  const account = easyPost.accounts.at(-1)
  // Rows from before the server refused the second one.
  await desk.owner.query(
    `insert into carrier_accounts select $2, carrier, account_number_last_4, account_zip, label_size, label_format, provider, provider_account
     from carrier_accounts where merchant_id = $1`,
    [first.key, second.key],
  )
  await disconnect(first)
  expect(easyPost.accounts).toContain(account)
  await disconnect(second)
  expect(easyPost.accounts).not.toContain(account)
})

const rowsOf = async (at: Shop) =>
  (
    await desk.owner.query<{ provider_account: string }>(
      'select provider_account from carrier_accounts where merchant_id = $1',
      [at.key],
    )
  ).rows
const idsAtEasyPost = () => easyPost.accounts.map(({ id }) => id)

test('an account that is saved again while EasyPost removes it is not stored without being there', async () => {
  const store = await desk.openShop()
  const gso = { carrier: 'GSO', account_number: 'G3141' } as const
  await connect(store, gso)
  const [before] = await rowsOf(store)
  easyPost.delay(/^DELETE .*carrier_accounts/, async () => {
    expect((await connect(store, gso, '8.5x11')).status).toBe(200)
  })
  expect((await disconnect(store)).status).toBe(200)
  expect(idsAtEasyPost()).not.toContain(before?.provider_account)
  expect(await rowsOf(store)).toEqual([])
  expect((await connect(store, gso)).status).toBe(200)
  expect(idsAtEasyPost()).toContain((await rowsOf(store))[0]?.provider_account)
})

test('an account that replaces the one that EasyPost removes stays', async () => {
  const store = await desk.openShop()
  await connect(store, { carrier: 'GSO', account_number: 'G2718' })
  easyPost.delay(/^DELETE .*carrier_accounts/, () =>
    connect(store, { carrier: 'GSO', account_number: 'G2719' }),
  )
  expect((await disconnect(store)).status).toBe(200)
  const [row] = await rowsOf(store)
  expect(idsAtEasyPost()).toContain(row?.provider_account)
  // The number was kept too: another paper size needs no new one.
  expect((await connect(store, { carrier: 'GSO', account_number: null }, '8.5x11')).status).toBe(200)
})

test('an account that EasyPost names to another merchant, and then removes, is asked for again', async () => {
  const [first, second] = [await desk.openShop(), await desk.openShop()]
  const gso = { carrier: 'GSO', account_number: 'G1618' } as const
  await connect(first, gso)
  const [before] = await rowsOf(first)
  let connected: ReturnType<typeof connect> | undefined
  let held: Awaited<ReturnType<typeof holdRows>> | undefined
  easyPost.delay(/^DELETE .*carrier_accounts/, async () => {
    held = await holdRows(
      desk,
      `select pg_advisory_xact_lock(hashtextextended('carrier account EasyPost ' || $1, 0))`,
      [before?.provider_account],
    )
    connected = connect(second, gso)
    await held.waiting(1)
  })
  expect((await disconnect(first)).status).toBe(200)
  await held?.release()
  expect((await connected)?.status).toBe(200)
  const [row] = await rowsOf(second)
  expect(row?.provider_account).not.toBe(before?.provider_account)
  expect(idsAtEasyPost()).toContain(row?.provider_account)
})
