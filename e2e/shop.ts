import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { createMerchant, setOnboarded } from '../server/src/merchants/public.ts'
import { asAdmin, changeAsAdmin } from './database.ts'
import { password } from './people.ts'

/** A merchant whose orders no other test touches. */
export interface Shop {
  readonly key: string
  readonly name: string
  readonly owner: string
}

export const root = path.join(import.meta.dirname, '..')

/** Opens a shop on the running server, as its operator would. */
export async function openShop(
  dataDir: string,
  { isOnboarded = true, timezone = 'America/New_York' } = {},
): Promise<Shop> {
  const key = `shop-${randomBytes(4).toString('hex')}`
  const shop = { key, name: `Corner Cellar ${key.slice(5)}`, owner: `owner@${key}.test` }
  await asAdmin(dataDir, async (db) => {
    await createMerchant(db, {
      key,
      name: shop.name,
      timezone,
      email: `hello@${key}.test`,
      phone: '+12125550111',
      address: { street_1: '9 Wharf Lane', street_2: null, city: 'New York', state: 'NY', zipcode: '10004' },
      owner: { email: shop.owner, firstName: 'Ada', lastName: 'Marsh', password },
    })
    if (isOnboarded)
      await db.system((statements) => setOnboarded(statements, { merchantKey: key, isOnboarded }))
  })
  return shop
}

/** A second person of the shop, with the owner's password; returns the e-mail. */
export async function addColleague(
  dataDir: string,
  { key, owner }: Shop,
  firstName = 'Theo',
): Promise<string> {
  const email = `theo@${key}.test`
  await changeAsAdmin(dataDir, ({ query }) =>
    query(
      `insert into users (user_id, merchant_id, email, email_key, first_name, last_name, password_hash, roles)
       select user_id || '-2', merchant_id, $2, $2, $3, 'Vance', password_hash, array['merch.user'] from users where email = $1`,
      [owner, email, firstName],
    ),
  )
  return email
}
