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

test('a sentence is no statement', () => {
  const source = "refuse('not_found', { message: 'Update the page, or delete the filter.' })"
  expect(readSql('team/routes.ts', source).statements).toEqual([])
})
