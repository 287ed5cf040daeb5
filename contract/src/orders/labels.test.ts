import { expect, test } from 'vitest'
import { actionLabels, itemRejectionCodes, rejectReasonCodes, rejectReasonLabels } from './decisions.ts'
import { carriers } from '../shipping/carriers.ts'
import { displayGroupLabels, methodFilterLabel, methodLabel, tabLabels, tabRoutes } from './labels.ts'
import { roleLabel } from '../team/roles.ts'
import { transitions } from './order-lifecycle.ts'
import { displayGroups, tabs } from './order-statuses.ts'

test.each([
  ['on_demand', null, 'On Demand'],
  ['scheduled', null, 'Scheduled'],
  ['on_demand', 'est-1', 'On Demand with Courier'],
  ['scheduled', 'est-1', 'Scheduled with Courier'],
  ['preorder', 'est-1', 'Pre-sale'],
  ['deposit', null, 'Pre-sale'],
  ['shipped', 'est-1', 'Shipping'],
  ['teleport', null, 'Shipping'],
])(
  'LIST-042 LIST-043 LIST-044 LIST-045 LIST-046 method %s, estimate %s reads %s',
  (method, estimate, label) => {
    expect(methodLabel(method, estimate)).toBe(label)
  },
)

test('LIST-019 the filter tells all methods apart, also those with one label', () => {
  const names = ['on_demand', 'scheduled', 'preorder', 'deposit', 'shipped', 'drone_drop'].map(
    methodFilterLabel,
  )
  expect(names).toEqual([
    'On Demand',
    'Scheduled',
    'Pre-sale',
    'Pre-sale with deposit',
    'Shipping',
    'Shipping (drone drop)',
  ])
})

test('TEAM-012 the roles of a merchant show their labels, every other role shows its name', () => {
  expect(roleLabel('merch.manager')).toBe('Manager')
  expect(roleLabel('merch.owner')).toBe('Owner')
  expect(roleLabel('merch.user')).toBe('Member')
})

test('TEAM-013 TEAM-014 TEAM-015 GAP-165 a role of another system shows its name', () => {
  for (const role of ['app.admin', 'app.extauth', 'app.manager', 'app.serverauth', 'cart.admin'])
    expect(roleLabel(role)).toBe(role)
  for (const role of ['org.admin', 'org.billing', 'org.manager', 'org.user'])
    expect(roleLabel(role)).toBe(role)
  for (const role of ['.accts', '.admin', '.cs', '.ops', '.qa'])
    expect(roleLabel(`thirstie${role}`)).toBe(`thirstie${role}`)
  for (const role of ['constructor', 'toString', '__proto__']) expect(roleLabel(role)).toBe(role)
})

test('ACT-006 the reasons for a rejection, each with its label', () => {
  expect([...rejectReasonCodes]).toEqual([
    'customer_cancelled',
    'courier_issue',
    'bad_weather',
    'store_closed',
    'other',
  ])
  expect(Object.keys(rejectReasonLabels)).toEqual([...rejectReasonCodes])
})

test('ACT-011 the reason codes of an item', () => {
  expect([...itemRejectionCodes]).toEqual(['outOfStock', 'wrongPrice', 'orderRejected', 'other'])
})

test('SHIP-013 the carriers', () => {
  expect([...carriers]).toEqual(['FedEx', 'UPS', 'GSO', 'OTHER'])
})

test('GAP-77 every tab has a label and an address; only the address has a hyphen', () => {
  expect(Object.keys(tabLabels).toSorted()).toEqual([...tabs].toSorted())
  expect(tabRoutes).toEqual({
    active: 'active',
    on_hold: 'on-hold',
    cancelled: 'cancelled',
    completed: 'completed',
  })
})

test('every display group and every action has a label', () => {
  for (const group of displayGroups) expect(displayGroupLabels[group]).toMatch(/\w/)
  for (const { action } of transitions) expect(actionLabels[action]).toMatch(/\w/)
})
