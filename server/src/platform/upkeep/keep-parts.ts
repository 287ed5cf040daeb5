import pg from 'pg'
import { poolOptions, type DatabaseAddress } from '../db/database.ts'
import { sqlState } from '../db/database-errors.ts'
import type { Division, Upkeep } from './upkeep.ts'

/** PostgreSQL's code for a lock not obtained in time. */
const locked = '55P03'
/** While a statement waits for a table's lock, all others of the table wait behind it. */
const lockWaitMs = 300
/** One process at a time. */
const turn = `select pg_try_advisory_xact_lock(hashtextextended('keep_parts', 0)) as held`

const weekMs = 7 * 86_400_000

interface Part {
  readonly name: string
  /** Null for the first part. */
  readonly starts: Date | null
  /** The first moment after it. */
  readonly ends: Date
}

interface Kept {
  readonly made: readonly string[]
  readonly dropped: readonly string[]
}

/**
 * Makes the parts of this week and the next, and drops those whose last row is older than the table keeps rows. A part
 * with a row that still has to stay is not dropped. What finds its table in use is done the next time; until then, rows
 * without a part of their own go to the part `…_rest`, which is emptied as soon as they have one.
 */
export async function keepParts(address: DatabaseAddress, upkeep: readonly Upkeep[]): Promise<Kept> {
  const client = new pg.Client({
    ...poolOptions(address, undefined),
    pipeline: false,
  } as pg.ClientConfig)
  client.on('error', () => undefined)
  await client.connect()
  const kept = { made: [] as string[], dropped: [] as string[] }
  try {
    await client.query(`set lock_timeout = ${lockWaitMs}`)
    await client.query(`set timezone = 'UTC'`)
    for (const division of upkeep.flatMap(({ divisions = [] }) => divisions)) {
      for (const week of await weeksWithoutPart(client, division))
        kept.made.push(...(await unlessInUse(client, () => makePart(client, division, week))))
      for (const part of await partsPast(client, division))
        kept.dropped.push(...(await unlessInUse(client, () => dropPart(client, division, part))))
    }
    return kept
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** One change is one transaction, so that no lock is kept for the next. */
async function unlessInUse(client: pg.Client, change: () => Promise<string | undefined>): Promise<string[]> {
  await client.query('begin')
  try {
    const { rows } = await client.query<{ held: boolean }>(turn)
    const name = rows[0]?.held === true ? await change() : undefined
    await client.query('commit')
    return name === undefined ? [] : [name]
  } catch (error) {
    await client.query('rollback')
    if (sqlState(error) !== locked) throw error
    return []
  }
}

/** A week begins on Monday, 00:00 UTC. */
async function weeksWithoutPart(client: pg.Client, { table, at }: Division): Promise<Date[]> {
  const { rows } = await client.query<{ week: Date }>(
    `select week from (
       select date_trunc('week', now(), 'UTC') + days * interval '1 day' as week from unnest(array[0, 7]) days
       union select date_trunc('week', ${at}, 'UTC') from parts.${table}_rest where isfinite(${at})
     ) wanted
     where not exists (select from (${partsSql}) part where week >= coalesce(starts, '-infinity') and week < ends)
     order by week`,
    [table],
  )
  return rows.map(({ week }) => week)
}

/** Of the table $1. A part without an end is the one with the rows of no week. */
const partsSql = `select c.relname as name,
    substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \\('([^']+)'\\)$$)::timestamptz as starts,
    substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']+)'\\)$$)::timestamptz as ends
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`

async function partsPast(client: pg.Client, { table, keptDays }: Division): Promise<Part[]> {
  const { rows } = await client.query<Part>(
    `select name, starts, ends from (${partsSql}) part where ends <= now() - make_interval(days => $2) order by ends`,
    [table, keptDays],
  )
  return rows
}

async function makePart(client: pg.Client, { table, at }: Division, week: Date): Promise<string | undefined> {
  const name = `${table}_${week.toISOString().slice(0, 10).replaceAll('-', '')}`
  // The statements of the shop lock the table first and then its parts.
  await client.query(`lock table only ${table} in share update exclusive mode`)
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `parts.${name}`,
  ])
  if (rows[0]?.there === true) return undefined
  await client.query(`lock table parts.${table}_rest in access exclusive mode`)
  await client.query(
    `create table parts.${name} (like ${table} including defaults including constraints including storage)`,
  )
  const [from, to] = [week, new Date(week.getTime() + weekMs)].map((moment) =>
    pg.escapeLiteral(moment.toISOString()),
  )
  await client.query(
    `with moved as (delete from parts.${table}_rest where ${at} >= ${from} and ${at} < ${to} returning *)
     insert into parts.${name} select * from moved`,
  )
  await client.query(
    `alter table ${table} attach partition parts.${name} for values from (${from}) to (${to})`,
  )
  return name
}

async function dropPart(client: pg.Client, division: Division, part: Part): Promise<string | undefined> {
  if (await mustStay(client, division, part)) return undefined
  await client.query(`lock table only ${division.table} in access exclusive mode`)
  // A row may have become one that has to stay, before the lock was there.
  if (await mustStay(client, division, part)) return undefined
  await client.query(`drop table parts.${part.name}`)
  return part.name
}

/** Asked as the role that sees the rows of all merchants. The owner sees none. */
async function mustStay(
  client: pg.Client,
  { table, at, staying }: Division,
  { starts, ends }: Part,
): Promise<boolean> {
  if (staying === undefined) return false
  await client.query('set local role cellarhand_system')
  const { rows } = await client.query<{ stays: boolean }>(
    `select exists (select from ${table} where ${at} >= coalesce($1::timestamptz, '-infinity') and ${at} < $2 and (${staying})) as stays`,
    [starts, ends],
  )
  await client.query('set local role none')
  return rows[0]?.stays === true
}
