import { expect, test } from 'vitest'
import { readSql, serverSources } from './read-sql.ts'

const routes = serverSources().filter(([file]) => file.endsWith('routes.ts'))

test('routes hold no SQL: they connect a call to a read or a command', () => {
  expect(routes.length).toBeGreaterThan(10)
  expect(
    routes.flatMap(([file, source]) => readSql(file, source).statements.map((sql) => [file, sql])),
  ).toEqual([])
})

test.for([
  'select 1 from users',
  'update users set roles = $1',
  'insert into users (user_id) values ($1)',
  'delete from users',
  'with gone as (delete from users returning 1) select 1 from gone',
])('%s is found', (sql) => {
  const source = `serve(line, async ({ caller }) => db.systemQuery(\`\n  ${sql}\`, [caller.userId]))`
  expect(readSql('team/routes.ts', source).statements).toEqual([sql.slice(0, 60)])
})

test('a line of the contract keeps its name, so that a search for it finds its route', () => {
  expect(routes.filter(([, source]) => / as \w+Call\b/.test(source)).map(([file]) => file)).toEqual([])
})

/** A file in a folder `commands` that opens a transaction, or sends a statement of its own. */
const opensTransaction = /\bdb\.(?:write|system|systemQuery|systemView|read|view|glance)\b/
/** The reason why each of them cannot be one transaction. */
const inSeveralSteps = new Map([
  ['duties/commands/ask-again.ts', 'asks each shop by itself'],
  ['billing/commands/open-onboarding.ts', 'asks the payment provider'],
  ['billing/commands/take-stripe-event.ts', 'asks the payment provider'],
  ['inventory/commands/import-inventory.ts', 'stores a thousand lines at a time'],
  ['marketplace/commands/save-webhook.ts', 'brings a thousand events forward at a time'],
  ['merchants/commands/create-merchant.ts', 'hashes a password'],
  ['team/commands/invite-user.ts', 'counts refusals in a transaction of their own'],
  ['orders/commands/check-duties.ts', 'asks fifty orders at a time'],
  ['orders/commands/close-shipped-orders.ts', 'closes each order by itself'],
  ['picks/commands/note-picks.ts', 'notes each order by itself'],
])

test('a command gets the statements of a transaction, unless it takes several', () => {
  expect(opensTransaction.test('const changed = await db.write(merchantId, ({ query }) =>')).toBe(true)
  const commands = serverSources().filter(([file]) => file.includes('/commands/'))
  expect(commands.length).toBeGreaterThan(25)
  const opening = commands.filter(([, source]) => opensTransaction.test(source))
  expect(opening.map(([file]) => file).toSorted()).toEqual([...inSeveralSteps.keys()].toSorted())
})

test('a command decides by the primary: it asks for no look that a standby may answer', () => {
  const looksAnywhere = /\bdb\.(?:view|glance|longLook|systemView)\b/
  expect(looksAnywhere.test('const [row] = await db.view(merchantId, ({ query }) =>')).toBe(true)
  const commands = serverSources().filter(([file]) => file.includes('/commands/'))
  expect(commands.filter(([, source]) => looksAnywhere.test(source)).map(([file]) => file)).toEqual([])
})

test('a sentence is no statement', () => {
  const source = "refuse('not_found', { message: 'Update the page, or delete the filter.' })"
  expect(readSql('team/routes.ts', source).statements).toEqual([])
})
