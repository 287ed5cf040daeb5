import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const folder = path.join(ROOT, 'server', 'migrations')
/** The first landing: nothing older runs anywhere. */
const firstWithNeighbours = 13

const takesAway: Readonly<Record<string, RegExp>> = {
  'drop a table or column': /\bdrop\s+(table|column)\b/,
  rename: /\brename\b/,
  'retype a column': /\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/,
  'require a value of old rows': /\bset\s+not\s+null\b/,
  'add a column that old code does not fill':
    /\badd\s+(column\s+)?\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)/,
}

/** From here on each file is a transaction of its own. */
const firstAlone = 29

const withoutComments = (sql: string) => sql.replaceAll(/--[^\n]*/g, '').toLowerCase()

/** A migration that waits for one table while it holds another stops the shop, or meets a change that came the other way. */
function lockedTables(sql: string): string[] {
  const statements = withoutComments(sql).split(';')
  const after = (text: string, word: string) =>
    text.match(/\w+/g)?.find((_, at, all) => all[at - 1] === word) ?? ''
  const made = statements.filter((text) => /\bcreate table\b/.test(text)).map((text) => after(text, 'table'))
  const changed = statements.flatMap((text) => {
    if (/\balter table\b/.test(text)) return [after(text, 'table'), after(text, 'references')]
    if (/\bcreate table\b/.test(text)) return [after(text, 'references')]
    return /\bcreate (unique )?index\b/.test(text) ? [after(text, 'on')] : []
  })
  return [...new Set(changed.filter((name) => name !== '' && !made.includes(name)))]
}

function offences(sql: string): string[] {
  const statements = withoutComments(sql)
  return Object.keys(takesAway).filter((name) => takesAway[name]?.test(statements))
}

describe('a migration keeps the release before it working', () => {
  const files = fs.readdirSync(folder).filter((file) => Number(file.slice(0, 4)) >= firstWithNeighbours)

  test.for(files)('%s', (file) => {
    expect(offences(fs.readFileSync(path.join(folder, file), 'utf8'))).toEqual([])
  })

  test.for(files.filter((file) => Number(file.slice(0, 4)) >= firstAlone))(
    '%s locks one existing table, so that it never holds one while it waits for another',
    (file) => {
      expect(lockedTables(fs.readFileSync(path.join(folder, file), 'utf8')).length).toBeLessThanOrEqual(1)
    },
  )

  test('a second table is found', () => {
    const sql = `create table crates (id text references merchants); create index on crates (id);
      alter table orders add column boxes integer; create unique index concurrently orders_by_box on orders (boxes);`
    expect(lockedTables(sql)).toEqual(['merchants', 'orders'])
  })

  test.for([
    'alter table orders drop column version;',
    'drop table documents;',
    'alter table orders rename column tab to place;',
    'alter table orders alter column version type bigint;',
    'alter table orders alter column tab set not null;',
    'alter table orders add column weight integer not null;',
  ])('%s is seen', (sql) => {
    expect(offences(sql)).not.toEqual([])
  })

  test('additions pass', () => {
    const sql = `alter table orders add column weight integer, add column boxes integer not null default 1;
      create table crates (merchant_id text not null); -- drop table
      drop index orders_by_number;`
    expect(offences(sql)).toEqual([])
  })
})
