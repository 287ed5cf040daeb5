import pg from 'pg'
import { systemClock } from '../clock/system-clock.ts'
import type { DatabaseAddress } from '../db/database.ts'
import { patientClient } from '../db/patient-client.ts'
import { sqlState } from '../db/database-errors.ts'
import { findRestoreMark } from '../db/restore-mark.ts'
import { BackupError } from './manifest.ts'
import { listTables } from './write-backup.ts'

export interface FreshDatabase {
  readonly address: DatabaseAddress
  /** Gives it the name of the first, empty database, and drops that one. */
  takePlace(): Promise<void>
  /** Drops it, unless it has taken the first one's place. */
  close(): Promise<void>
}

const inUse = '55006'
const mayNot = '42501'
const longestName = 63
/** The comment on a database that a restore may drop. */
const ours = 'put aside by a restore of Cellarhand'
/** Routers forget a connection that is silent for some minutes, and the fill may take hours. */
const heartbeatMs = 30_000
/** Each time, PostgreSQL waits five seconds for a connection to end. */
const swapTries = 12
const of = (name: string) => pg.escapeIdentifier(name)

/**
 * A copy of the empty database, with its encoding, sorting and extensions, under another name. A living restore holds
 * the lock of that name; anything that an earlier restore left under it is dropped.
 */
export async function createFresh(
  address: DatabaseAddress,
  everyMs: number = heartbeatMs,
): Promise<FreshDatabase> {
  const { name, owner } = await requireReplaceable(address)
  const keeper = await openBeside(address, name)
  try {
    const fresh = `${name}_restoring`.slice(-longestName)
    const replaced = `${name}_replaced`.slice(-longestName)
    const { rows } = await keeper.query<{ held: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as held',
      [`cellarhand_restore ${name}`],
    )
    if (rows[0]?.held !== true)
      throw new BackupError('Another restore into this database is under way. Please wait for its end.')
    const drop = (left: string) => dropOurs(keeper, { ...address, database: left })
    await drop(fresh)
    await drop(replaced)
    await explained(name, () =>
      keeper.query(`create database ${of(fresh)} template ${of(name)} owner ${of(owner)}`),
    )
    await keeper.query(`comment on database ${of(fresh)} is '${ours}'`)
    const heartbeat = systemClock.every(everyMs, () => void keeper.query('select 1').catch(() => undefined))
    return {
      address: { ...address, database: fresh },
      async takePlace() {
        // An older release, which knows no marks, may have filled it meanwhile.
        if (!(await holdsMarkAlone({ ...address, database: name })))
          throw new BackupError(
            `"${name}" is no longer empty, so nothing was put in its place. Please stop the server that wrote there, and restore into another database.`,
          )
        await explained(name, () => swap(keeper, { name, fresh, replaced }))
        // It is empty, and disturbs nobody if it stays.
        await drop(replaced).catch(() => undefined)
      },
      async close() {
        heartbeat.stop()
        await keeper.query('rollback').catch(() => undefined)
        await drop(fresh).catch(() => undefined)
        await keeper.end().catch(() => undefined)
      },
    }
  } catch (error) {
    await keeper.end().catch(() => undefined)
    throw error
  }
}

type Named = DatabaseAddress & { readonly database: string }

/** Drops only the remains of an earlier restore. Another database of that name belongs to somebody else. */
async function dropOurs(keeper: pg.Client, address: Named): Promise<void> {
  const { database: name } = address
  const { rows } = await keeper.query<{ comment: string | null }>(
    `select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1`,
    [name],
  )
  const [found] = rows
  if (found === undefined) return
  // A restore that was killed before it could write the comment left the copied mark.
  if (found.comment !== ours && !(await holdsMarkAlone(address)))
    throw new BackupError(
      `There is a database "${name}" that no restore has made, and a restore needs that name. Please rename it, or run again with --in-place.`,
    )
  // Never by force: a restore that lost its connection, and its lock with it, may still be filling this database.
  await explained(name, () => keeper.query(`drop database ${of(name)}`))
}

async function holdsMarkAlone(address: DatabaseAddress): Promise<boolean> {
  const client = patientClient(address, undefined)
  try {
    await client.connect()
    return (await findRestoreMark(client)) !== undefined && (await listTables(client)).length === 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface Names {
  readonly name: string
  readonly fresh: string
  readonly replaced: string
}

/** Renames both in one transaction. A server that restarts again and again connects only for moments. */
async function swap(keeper: pg.Client, { name, fresh, replaced }: Names): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await keeper.query('begin')
      await keeper.query(`comment on database ${of(name)} is '${ours}'`)
      await keeper.query(`alter database ${of(name)} rename to ${of(replaced)}`)
      await keeper.query(`alter database ${of(fresh)} rename to ${of(name)}`)
      await keeper.query(`comment on database ${of(name)} is null`)
      await keeper.query('commit')
      return
    } catch (error) {
      await keeper.query('rollback')
      if (sqlState(error) !== inUse || tries === swapTries) throw error
    }
  }
}

interface Replaceable {
  readonly name: string
  readonly owner: string
}

/** Accepts only a database that a restore may replace. */
export async function requireReplaceable(address: DatabaseAddress): Promise<Replaceable> {
  const client = patientClient(address, undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Replaceable & { may_create: boolean; is_set_up: boolean }>(
      `select datname as name, pg_get_userbyid(datdba) as owner,
         (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as may_create,
         datacl is not null or datconnlimit <> -1
           or exists (select from pg_db_role_setting s where s.setdatabase = d.oid) as is_set_up
       from pg_database d where datname = current_database()`,
    )
    const [found] = rows
    if (found === undefined) throw new Error('The database is not in its own list')
    if (!found.may_create)
      throw new BackupError(
        `The login in DATABASE_URL may not create databases, so the backup cannot be restored beside "${found.name}" and then take its place. ` +
          'Give it that right for the time of the restore (alter role … createdb), or run again with --in-place: that fills this very database in one transaction, and no server starts on it before the end.',
      )
    if (found.is_set_up)
      throw new BackupError(
        `The database "${found.name}" has rights or settings of its own, which a fresh one in its place would not have. Please run again with --in-place.`,
      )
    return found
  } finally {
    await client.end()
  }
}

/**
 * A database cannot be renamed from within. Every restore connects to the same other database, because a lock is known
 * only in its own.
 */
async function openBeside(address: DatabaseAddress, name: string): Promise<pg.Client> {
  const database = name === 'postgres' ? 'template1' : 'postgres'
  const client = patientClient({ ...address, database }, undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    throw new BackupError(
      `The login in DATABASE_URL cannot connect to the database "${database}", as is needed to put one in the place of "${name}" (${error instanceof Error ? error.message : String(error)}). Please run again with --in-place.`,
      { cause: error },
    )
  }
}

async function explained(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (sqlState(error) === inUse)
      throw new BackupError(
        `Somebody is connected to "${name}". Please stop the servers, consoles and restores that use it, and run the command again.`,
        { cause: error },
      )
    if (sqlState(error) === mayNot)
      throw new BackupError(
        `The login in DATABASE_URL may not put a fresh database in the place of "${name}" (it must own it). Please run again with --in-place.`,
        { cause: error },
      )
    throw error
  }
}
