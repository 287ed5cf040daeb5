import pg from 'pg'
import type { DatabaseAddress } from '../db/database.ts'
import { patientClient } from '../db/patient-client.ts'
import { sqlState } from '../db/database-errors.ts'
import type { Division, Upkeep } from './upkeep.ts'

/** PostgreSQL's codes for a lock not obtained in time, and for a statement that took too long. */
const inUse = new Set(['55P03', '57014'])
const isInUse = (error: unknown) => inUse.has(sqlState(error) ?? '')
/**
 * While a statement waits for a table's lock, all others of the table wait behind it; and once it has the lock, a process
 * that stops would hold it. The shop's statements give up after five seconds.
 */
const limits = `set lock_timeout = 300; set statement_timeout = 3000; set idle_in_transaction_session_timeout = 3000; set timezone = 'UTC'`
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

interface Keeping {
  readonly made: string[]
  readonly dropped: string[]
  /** Of tables in use, or that another process has just in hand. */
  skipped: number
}

/**
 * Makes the parts of this week and the next, and drops those whose last row is older than the table keeps rows. A part
 * with a row that still has to stay is not dropped, nor are the later ones: readers take the oldest row for the first
 * after a gap. What finds its table in use is done the next time; until then, rows without a part of their own go to the
 * part `…_rest`, which is emptied as soon as they have one.
 */
export async function keepParts(
  address: DatabaseAddress,
  upkeep: readonly Upkeep[],
  isStopping: () => boolean = () => false,
): Promise<Readonly<Keeping>> {
  const client = patientClient(address, undefined)
  const kept: Keeping = { made: [], dropped: [], skipped: 0 }
  try {
    await client.connect()
    await client.query(limits)
    for (const division of upkeep.flatMap(({ divisions = [] }) => divisions)) {
      if (isStopping()) break
      await makeParts(client, division, kept)
      await dropParts(client, division, kept)
    }
    return kept
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function makeParts(client: pg.Client, division: Division, kept: Keeping): Promise<void> {
  const weeks = await weeksWithoutPart(client, division).catch((error: unknown) => {
    if (!isInUse(error)) throw error
    kept.skipped++
    return []
  })
  for (const week of weeks) {
    const done = await unlessInUse(client, () => makePart(client, division, week))
    if (done === 'skipped') kept.skipped++
    else if (done !== 'unchanged') kept.made.push(done)
  }
}

async function dropParts(client: pg.Client, division: Division, kept: Keeping): Promise<void> {
  for (const part of await partsPast(client, division)) {
    const done = await unlessInUse(client, () => dropPart(client, division, part))
    if (done === 'skipped') kept.skipped++
    if (done === 'unchanged' || done === 'skipped') return
    kept.dropped.push(done)
  }
}

/** The part's name, or why nothing was done. */
type Outcome = string | 'unchanged' | 'skipped'

/** One change is one transaction, so that no lock is kept for the next. */
async function unlessInUse(client: pg.Client, change: () => Promise<Outcome>): Promise<Outcome> {
  await client.query('begin')
  try {
    const { rows } = await client.query<{ held: boolean }>(turn)
    const done = rows[0]?.held === true ? await change() : 'skipped'
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback')
    if (!isInUse(error)) throw error
    return 'skipped'
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

async function isThere(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `parts.${name}`,
  ])
  return rows[0]?.there === true
}

async function makePart(client: pg.Client, { table, at }: Division, week: Date): Promise<Outcome> {
  const name = `${table}_${week.toISOString().slice(0, 10).replaceAll('-', '')}`
  // Readers go on. A writer would choose the part of a row now, and find it changed once it is let in.
  await client.query(`lock table only ${table} in share row exclusive mode`)
  if (await isThere(client, name)) return 'unchanged'
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

async function dropPart(client: pg.Client, division: Division, part: Part): Promise<Outcome> {
  if (await mustStay(client, division, part)) return 'unchanged'
  await client.query(`lock table only ${division.table} in access exclusive mode`)
  // Another process may have dropped it, and a row may have become one that has to stay, before the lock was there.
  if (!(await isThere(client, part.name))) return 'skipped'
  if (await mustStay(client, division, part)) return 'unchanged'
  await client.query(`drop table parts.${part.name}`)
  return part.name
}

/** Asked as the role that sees the rows of all merchants. The owner sees none. */
async function mustStay(
  client: pg.Client,
  { table, at, staying = [] }: Division,
  { starts, ends }: Part,
): Promise<boolean> {
  if (staying.length === 0) return false
  const some = staying.map(
    (which) =>
      `exists (select from ${table} where ${at} >= coalesce($1::timestamptz, '-infinity') and ${at} < $2 and ${which})`,
  )
  await client.query('set local role cellarhand_system')
  const { rows } = await client.query<{ stays: boolean }>(`select ${some.join(' or ')} as stays`, [
    starts,
    ends,
  ])
  await client.query('set local role none')
  return rows[0]?.stays === true
}
