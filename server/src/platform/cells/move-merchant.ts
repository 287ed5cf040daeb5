import pg from 'pg'
import { systemClock } from '../clock/system-clock.ts'
import type { DatabaseAddress } from '../db/database.ts'
import { withPatientClient } from '../db/patient-client.ts'
import { statementsOn } from '../db/statements-on.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { MoveError } from './manifest.ts'
import { listMerchantTables } from './merchant-tables.ts'

/** For work that is under way when the move begins: a webhook's try, a label, a mail. What lasts longer is asked for there. */
const settleMs = 10_000
const lookEveryMs = 50
/** The last step of a move needs so much of the time that is left, so that no change begins before it is done. */
const spareSeconds = 2
/** A statement of a server never takes longer, so an older one without a change of its own is a backup or a report. */
const longestStatementSeconds = 20

export interface Leaving {
  readonly merchantId: string
  /** The merchant opens again by itself after so long. */
  readonly seconds: number
  readonly upkeep: readonly Upkeep[]
}

/**
 * Closes a merchant for its move. First no background work begins any more, and what is under way ends, while the desk
 * goes on; then changes are refused. Afterwards nothing that began before can still write.
 */
export async function startMove(address: DatabaseAddress, leaving: Leaving): Promise<void> {
  const { merchantId, seconds, upkeep } = leaving
  await withPatientClient(address, 'cellarhand_system', async (client) => {
    const { rows } = await client.query(
      `insert into merchant_moves (merchant_id, state, until)
       select merchant_id, 'settling', clock_timestamp() + make_interval(secs => $2) from merchants where merchant_id = $1
       on conflict (merchant_id) do update set state = 'settling', until = excluded.until, export_id = null, changed_at = now()
         where merchant_moves.state in ('settling', 'leaving')
       returning 1`,
      [merchantId, seconds + settleMs / 1000],
    )
    if (rows.length === 0) throw new MoveError(await whyNot(client, merchantId))
    await settle(client, leaving)
    await client.query('begin')
    for (const part of upkeep) await part.beforeLeaving?.(statementsOn(client, systemClock), merchantId)
    await client.query(
      `update merchant_moves set state = 'leaving', until = clock_timestamp() + make_interval(secs => $2) where merchant_id = $1`,
      [merchantId, seconds],
    )
    await client.query('commit')
    if (await outlastTransactions(client, seconds * 500)) return
    await client.query(`delete from merchant_moves where merchant_id = $1 and state = 'leaving'`, [
      merchantId,
    ])
    throw new MoveError(
      'A transaction that began before the move did not end, so the merchant is open again. Please look at pg_stat_activity, and try again.',
    )
  })
}

async function whyNot(client: pg.Client, merchantId: string): Promise<string> {
  const { rows } = await client.query<{ state: string }>(
    'select state from merchant_moves where merchant_id = $1',
    [merchantId],
  )
  if (rows[0]?.state === 'moved') return `The merchant "${merchantId}" has moved already.`
  if (rows[0]?.state === 'arriving')
    return `The merchant "${merchantId}" is just arriving here: npm run admin -- move-merchant --merchant ${merchantId} --open`
  return `There is no merchant "${merchantId}".`
}

/** Leases that were taken before the move are at their end, or their work is. */
async function settle(client: pg.Client, { merchantId, upkeep }: Leaving): Promise<void> {
  const conditions = upkeep.flatMap(({ underWay = [] }) => underWay)
  const until = systemClock.readingMs() + settleMs
  while (systemClock.readingMs() < until) {
    const { rows } = await client.query<{ busy: boolean }>(
      `select ${conditions.map((condition) => `exists (${condition})`).join(' or ')} as busy`,
      [merchantId],
    )
    if (rows[0]?.busy !== true) return
    await systemClock.sleep(lookEveryMs)
  }
}

/** Waits for every transaction that began before: a statement of it may not know yet that the merchant is closed. */
async function outlastTransactions(client: pg.Client, patienceMs: number): Promise<boolean> {
  const until = systemClock.readingMs() + patienceMs
  const older = `select l.virtualtransaction as id from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and l.pid <> pg_backend_pid()
      and (a.datname is null or a.datname = current_database())
      and not (coalesce(a.query_start < now() - make_interval(secs => ${longestStatementSeconds}), false) and a.backend_xid is null)`
  const { rows: before } = await client.query<{ id: string }>(older)
  let waiting = new Set(before.map(({ id }) => id))
  while (waiting.size > 0 && systemClock.readingMs() < until) {
    await systemClock.sleep(lookEveryMs)
    const { rows } = await client.query<{ id: string }>(older)
    waiting = new Set(rows.map(({ id }) => id).filter((id) => waiting.has(id)))
  }
  return waiting.size === 0
}

export interface Moved {
  readonly merchantId: string
  readonly to: string
  readonly exportId: string
}

/** From now on, calls are sent to the other cell. Refuses when the merchant was open again in between. */
export async function finishMove(
  address: DatabaseAddress,
  { merchantId, to, exportId }: Moved,
): Promise<void> {
  const { protocol, origin } = URL.parse(to) ?? { protocol: '', origin: '' }
  if (!/^https?:$/.test(protocol))
    throw new MoveError('--to takes the address of the other cell, such as https://two.desk.example.com.')
  await withPatientClient(address, 'cellarhand_system', async (client) => {
    const { rows } = await client.query(
      `update merchant_moves set state = 'moved', moved_to = $2, until = null, changed_at = now()
       where merchant_id = $1 and state = 'leaving' and export_id = $3
         and until > clock_timestamp() + make_interval(secs => ${spareSeconds}) returning 1`,
      [merchantId, origin, exportId],
    )
    if (rows.length > 0) return
    throw new MoveError(
      `The merchant "${merchantId}" is not closed for this export any more: its time was over, or a later export was made. ` +
        `It works here as before. At the other cell: npm run admin -- remove-merchant --merchant ${merchantId}; then begin again.`,
    )
  })
}

/** The merchant works on here. */
export async function abortMove(
  address: DatabaseAddress,
  merchantId: string,
  upkeep: readonly Upkeep[],
): Promise<void> {
  const isOpened = await open(address, { merchantId, states: ['settling', 'leaving'] }, upkeep)
  if (!isOpened) throw new MoveError(`The merchant "${merchantId}" is not on its way.`)
}

/** The merchant has left the other cell, and works here. */
export async function openArrived(
  address: DatabaseAddress,
  merchantId: string,
  upkeep: readonly Upkeep[],
): Promise<void> {
  const isOpened = await open(address, { merchantId, states: ['arriving'] }, upkeep)
  if (!isOpened) throw new MoveError(`No merchant "${merchantId}" waits here to be opened.`)
}

async function open(
  address: DatabaseAddress,
  { merchantId, states }: { merchantId: string; states: readonly string[] },
  upkeep: readonly Upkeep[],
): Promise<boolean> {
  return withPatientClient(address, 'cellarhand_system', async (client) => {
    await client.query('begin')
    const { rows } = await client.query(
      'delete from merchant_moves where merchant_id = $1 and state = any ($2) returning 1',
      [merchantId, states],
    )
    for (const part of rows.length > 0 ? upkeep : [])
      await part.afterOpening?.(statementsOn(client, systemClock), merchantId)
    await client.query('commit')
    return rows.length > 0
  })
}

/** Removes the rows of a merchant that has moved away, or whose import is not gone on with. */
export async function removeMerchant(
  address: DatabaseAddress,
  merchantId: string,
  upkeep: readonly Upkeep[],
): Promise<number> {
  return withPatientClient(address, 'cellarhand_system', async (client) => {
    await client.query('begin')
    const { rows } = await client.query<{ state: string }>(
      `select state from merchant_moves where merchant_id = $1 and state in ('moved', 'arriving') for update`,
      [merchantId],
    )
    if (rows.length === 0)
      throw new MoveError(
        `The merchant "${merchantId}" works here. Only one that has moved away, or has just arrived and is not open yet, can be removed.`,
      )
    let count = 0
    const tables = await listMerchantTables(client, upkeep)
    for (const { name, which } of tables.toReversed())
      count +=
        (
          await client.query(
            `delete from ${pg.escapeIdentifier(name)} where ${which.replaceAll('$1', pg.escapeLiteral(merchantId))}`,
          )
        ).rowCount ?? 0
    if (rows[0]?.state === 'arriving')
      await client.query('delete from merchant_moves where merchant_id = $1', [merchantId])
    await client.query('commit')
    return count
  })
}
