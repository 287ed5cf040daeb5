import { expect, test } from 'vitest'
import { testsFor } from './changed.mjs'

const all = [
  'server/src/orders/list/list.test.ts',
  'server/src/orders/routes.ts',
  'server/src/team/team.test.ts',
  'server/src/platform/mail/outgoing.test.ts',
  'server/src/platform/db/migrate.test.ts',
  'e2e/orders/search.e2e.ts',
  'e2e/settings/team.e2e.ts',
]

test('a change runs the tests of its slice, of its room of the platform, and of its importers', () => {
  expect(testsFor(['server/src/orders/routes.ts'], all)).toEqual({
    related: [],
    server: ['server/src/orders/list/list.test.ts'],
    e2e: [],
  })
  expect(testsFor(['server/src/platform/mail/mailer.ts'], all).server).toEqual([
    'server/src/platform/mail/outgoing.test.ts',
  ])
  expect(testsFor(['contract/src/orders/lines.ts', 'e2e/orders/search.e2e.ts'], all)).toEqual({
    related: ['contract/src/orders/lines.ts'],
    server: ['server/src/orders/list/list.test.ts'],
    e2e: ['e2e/orders/search.e2e.ts'],
  })
  expect(testsFor(['web/src/team/invite-dialog.tsx'], all).e2e).toEqual(['e2e/settings/team.e2e.ts'])
  expect(testsFor(['web/src/orders/search/highlight.ts'], all).e2e).toEqual(['e2e/orders/search.e2e.ts'])
})
