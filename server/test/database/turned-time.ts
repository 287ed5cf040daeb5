import pg from 'pg'
import type { ClonedDatabase } from './cloned-database.ts'
import { patientOptions } from './patient-options.ts'

export interface DatabaseTime {
  turn(ms: number): Promise<void>
  /** Then only `turn` moves it, however long a busy machine takes. Without, it goes on with the machine's time. */
  stand(isStanding: boolean): Promise<void>
}

/**
 * Lets a test turn the time of one database: its own `now()` comes before PostgreSQL's. The statements stay as they are.
 * Call it before anything else connects.
 */
export async function letTimeTurn({ address, owner }: ClonedDatabase): Promise<DatabaseTime> {
  const client = new pg.Client(patientOptions(address))
  await client.connect()
  await client.query(`
    create schema turned_time;
    create table turned_time.clock (ahead interval not null, stands timestamptz);
    insert into turned_time.clock values ('0');
    create function turned_time.now() returns timestamptz stable language sql
      as 'select coalesce(stands, pg_catalog.now()) + ahead from turned_time.clock';
    create function turned_time.clock_timestamp() returns timestamptz volatile language sql
      as 'select coalesce(stands, pg_catalog.clock_timestamp()) + ahead from turned_time.clock';
    grant usage on schema turned_time to public;
    grant select on turned_time.clock to public;
    do $$
    declare
      place record;
    begin
      execute format(
        'alter database %I set search_path = public, turned_time, pg_catalog', current_database());
      set local search_path = public, turned_time, pg_catalog;
      -- A default remembers the function that it was made with.
      for place in
        select table_name, column_name from information_schema.columns
        where table_schema = 'public' and column_default in ('now()', 'pg_catalog.now()')
      loop
        execute format('alter table public.%I alter column %I set default now()', place.table_name, place.column_name);
      end loop;
    end $$`)
  await client.end()
  return {
    async turn(ms) {
      await owner.query('update turned_time.clock set ahead = ahead + make_interval(secs => $1)', [ms / 1000])
    },
    async stand(isStanding) {
      await owner.query('update turned_time.clock set stands = case when $1 then pg_catalog.now() end', [
        isStanding,
      ])
    },
  }
}
