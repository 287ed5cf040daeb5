import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { password } from './people.ts'

/** A merchant whose orders nobody else touches. */
export interface Shop {
  readonly key: string
  readonly name: string
  readonly owner: string
}

export const root = path.join(import.meta.dirname, '..')

async function admin(dataDir: string, args: string[]): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir, DEMO: '1', DATABASE_URL: '' }
  const child = spawn(process.execPath, ['server/src/admin.ts', ...args], { cwd: root, env })
  child.stdin.end(password)
  const [code, said] = await Promise.all([
    new Promise((resolve) => child.once('close', resolve)),
    text(child.stderr),
  ])
  if (code !== 0) throw new Error(`admin ${args[0]} ended with ${String(code)}: ${said}`)
}

/** Opens a shop on the running server as whoever runs it would, with the admin commands. */
export async function openShop(dataDir: string, { isOnboarded = true } = {}): Promise<Shop> {
  const key = `shop-${randomBytes(4).toString('hex')}`
  const shop = { key, name: `Corner Cellar ${key.slice(5)}`, owner: `owner@${key}.test` }
  const fields = {
    key,
    name: shop.name,
    timezone: 'America/New_York',
    email: `hello@${key}.test`,
    phone: '+12125550111',
    street: '9 Wharf Lane',
    city: 'New York',
    state: 'NY',
    zip: '10004',
    'owner-email': shop.owner,
    'owner-first-name': 'Ada',
    'owner-last-name': 'Marsh',
  }
  const options = Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value])
  await admin(dataDir, ['create-merchant', ...options, '--owner-password-stdin'])
  if (isOnboarded) await admin(dataDir, ['set-onboarded', '--merchant', key])
  return shop
}
