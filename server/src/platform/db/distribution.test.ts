import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk } from '../../../test/desk.ts'

/** The rules of Citus that decide whether a schema can be distributed at all. */
const citus = `
create table spread (name regclass primary key, is_distributed boolean not null);
create function create_reference_table(name text) returns void language sql as $$
  insert into spread values (name::regclass, false)
$$;
create function create_distributed_table(name text, key text, colocate_with text) returns void language plpgsql as $$
declare
  number smallint := (select attnum from pg_attribute where attrelid = name::regclass and attname = key);
begin
  if exists (select from pg_index where indrelid = name::regclass and indisunique and not number = any (indkey::smallint[])) then
    raise exception '% has a unique index without %', name, key;
  end if;
  if exists (select from pg_constraint f where contype = 'f' and conrelid = name::regclass
      and not exists (select from spread s where s.name = f.confrelid)) then
    raise exception '% refers to a table that is not distributed yet', name;
  end if;
  insert into spread values (name::regclass, true);
end $$;`

let desk: Desk
let owner: pg.Pool
beforeAll(async () => {
  desk = await openDesk()
  owner = desk.owner
  await owner.query(citus)
})
afterAll(() => desk.stop())

const names = async (sql: string) => (await owner.query<{ name: string }>(sql)).rows.map(({ name }) => name)

test('the statements of docs/deployment.md distribute every merchant’s table by Citus’s rules', async () => {
  const page = await readFile(new URL('../../../../docs/deployment.md', import.meta.url), 'utf8')
  const documented = /```sql\n([^`]*create_distributed_table[^`]*)```/.exec(page)?.[1] ?? ''
  await owner.query(documented)
  expect(
    await names(`select relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'merchant_id'
        and not exists (select from spread where spread.name = c.oid) order by 1`),
  ).toEqual(['outgoing_mails', 'sandbox_payment_accounts', 'users'])
  expect(
    await names(`select indexrelid::regclass::text as name from pg_index x
      join spread on spread.name = x.indrelid and is_distributed
      join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
      where x.indisunique and a.attname <> 'merchant_id'`),
    'unique indexes that do not begin with the merchant',
  ).toEqual([])
})
