import { expect, test } from 'vitest'
import {
  hasPermission,
  highestMerchantRole,
  leastRole,
  merchantRoles,
  type Permission,
} from './permissions.ts'

const all = Object.keys(leastRole) as Permission[]
const held = (...roles: string[]) => all.filter((permission) => hasPermission(roles, permission)).toSorted()

const ofMembers = [
  'carrier.read',
  'directions.send',
  'inventory.read',
  'merchant.read',
  'orders.fulfil',
  'orders.read',
]
const ofManagers = [...ofMembers, 'carrier.edit', 'clerks.compare', 'company.edit', 'team.read'].toSorted()

test('TEAM-009 a member may work on orders, see the inventory and read the store', () => {
  expect(held('merch.user')).toEqual(ofMembers)
})

test('TEAM-010 a manager may do everything except billing and the team', () => {
  expect(held('merch.manager')).toEqual(ofManagers)
  expect(held('merch.manager').some((permission) => permission.startsWith('billing'))).toBe(false)
})

test('TEAM-011 an owner may do everything', () => {
  expect(held('merch.owner')).toEqual(all.toSorted())
})

test('GAP-163 the highest of several roles counts, in any sequence', () => {
  expect(held('merch.owner', 'merch.user')).toEqual(all.toSorted())
  expect(held('merch.user', 'merch.manager')).toEqual(ofManagers)
  expect(highestMerchantRole(['merch.user', 'merch.owner', 'merch.manager'])).toBe('merch.owner')
})

test('GAP-165 a role of another system, or an invented one, grants nothing', () => {
  for (const role of [
    'app.admin',
    'org.admin',
    'thirstie.admin',
    'MERCH.OWNER',
    'merch.owner ',
    'merch',
    'toString',
    '',
  ])
    expect([role, held(role)]).toEqual([role, []])
  expect(held()).toEqual([])
})

test('GEN-027 only the three roles of a merchant grant anything; support and sales have no part in the product', () => {
  expect(merchantRoles).toEqual(['merch.user', 'merch.manager', 'merch.owner'])
  for (const role of ['support', 'sales', 'merch.support', 'admin', '']) expect(held(role)).toEqual([])
})
