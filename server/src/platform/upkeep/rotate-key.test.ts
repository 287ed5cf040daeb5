import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { readConfig } from '../config.ts'
import {
  forgetMerchantSecret,
  merchantSecretsPurpose,
  readMerchantSecret,
  saveMerchantSecret,
} from '../outside/merchant-secrets.ts'
import { rotateKey } from './rotate-key.ts'
import { createSealer, type Secrets } from '../sealed-text.ts'

const first = 'the-first-key-of-forty-characters-at-least'
const second = 'the-second-key-of-forty-characters-at-least'

let desk: Desk
let shop: Shop
let other: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  other = await desk.openShop()
})
afterAll(async () => desk.stop())

const secretsOf = (...keys: Secrets) => createSealer(keys, merchantSecretsPurpose)
const nameOf = (of: Shop) => ({ merchantId: of.key, name: 'carrier' })
const read = (of: Shop, ...keys: Secrets) =>
  desk.app.db.read(of.key, (statements) => readMerchantSecret(statements, secretsOf(...keys), nameOf(of)))
const save = (of: Shop, value: string) =>
  desk.app.db.write(of.key, (statements) =>
    saveMerchantSecret(statements, secretsOf(first), { ...nameOf(of), value }),
  )

test('G21 a merchant’s secret is stored sealed, replaced, deleted, and its own', async () => {
  await save(shop, 'open sesame')
  await save(shop, 'open, sesame')
  await save(other, 'other')
  const { rows } = await desk.owner.query<{ sealed: string }>('select sealed from merchant_secrets')
  expect(rows).toHaveLength(2)
  for (const { sealed } of rows) expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('sesame')
  expect([await read(shop, first), await read(other, first)]).toEqual(['open, sesame', 'other'])
  const foreign = desk.app.db.read(shop.key, (statements) =>
    readMerchantSecret(statements, secretsOf(first), nameOf(other)),
  )
  expect(await foreign).toBeUndefined()
  await desk.app.db.write(other.key, (statements) => forgetMerchantSecret(statements, nameOf(other)))
  expect(await read(other, first)).toBeUndefined()
})

test('with a new key, old text still opens and is sealed anew, and the old key may go', async () => {
  await save(shop, 'open sesame')
  const { seal } = createSealer([first], 'webhook secrets')
  await desk.owner.query(
    'insert into webhook_endpoint (url, secret_sealed, previous_secret_sealed) values ($1, $2, $3)',
    ['https://example.invalid', seal('whsec_1'), seal('whsec_0')],
  )
  const lost = createSealer(['a-key-that-nobody-has-any-more-and-never-will'], 'two-step secrets').seal('x')
  await desk.owner.query('update users set two_step_secret_sealed = $2 where user_id = $1', [
    shop.owner.id,
    lost,
  ])
  expect(await read(shop, second, first)).toBe('open sesame')
  await expect(read(shop, second)).rejects.toThrow('SEALING_KEYS_OLD')

  expect(await rotateKey(desk.app.db, [second, first], desk.upkeep)).toEqual([
    { table: 'merchant_secrets', sealedAnew: 1, fresh: 0, lost: 0 },
    expect.objectContaining({ table: 'outgoing_mails', sealedAnew: 0 }),
    { table: 'users', sealedAnew: 0, fresh: 0, lost: 1 },
    { table: 'age_check_fields', sealedAnew: 0, fresh: 0, lost: 0 },
    { table: 'webhook_endpoint', sealedAnew: 1, fresh: 0, lost: 0 },
    { table: 'webhook_endpoint', sealedAnew: 1, fresh: 0, lost: 0 },
    { table: 'push_keys', sealedAnew: 0, fresh: 0, lost: 0 },
    { table: 'push_devices', sealedAnew: 0, fresh: 0, lost: 0 },
  ])
  expect(await read(shop, second)).toBe('open sesame')
  const { rows } = await desk.owner.query<{ secret_sealed: string }>(
    'select secret_sealed from webhook_endpoint',
  )
  expect(createSealer([second], 'webhook secrets').open(rows[0]?.secret_sealed ?? '')).toBe('whsec_1')
  const again = await rotateKey(desk.app.db, [second], desk.upkeep)
  expect(again[0]).toEqual({ table: 'merchant_secrets', sealedAnew: 0, fresh: 1, lost: 0 })
})

test('the rotation leaves out no stored sealed text', async () => {
  const { rows } = await desk.owner.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns
     where table_schema = 'public' and column_name ~ 'sealed$' order by 1`,
  )
  const columns = desk.upkeep.flatMap(({ sealedColumns = [] }) => sealedColumns)
  expect(rows.map(({ place }) => place)).toEqual(
    columns.map(({ table, column }) => `${table}.${column}`).toSorted(),
  )
  expect(rows.length).toBeGreaterThan(3)
})

test('the session secret still opens text from before there was a key of its own', () => {
  const env = { DEMO: '1', SESSION_SECRET: first }
  expect(readConfig(env).sealingKeys).toEqual([first])
  expect(readConfig({ ...env, SEALING_KEY: second }).sealingKeys).toEqual([second, first])
  expect(
    readConfig({ ...env, SEALING_KEY: second, SEALING_KEYS_OLD: `${first}x, ${first}` }).sealingKeys,
  ).toEqual([second, `${first}x`, first])
  expect(() => readConfig({ ...env, SEALING_KEY: 'short' })).toThrow('SEALING_KEY')
})
