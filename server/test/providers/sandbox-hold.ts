import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The key of the lock that the held purchase waits for. */
const lock = [4711, 7] as const

export interface SandboxHold {
  /** From now on, the purchase after so many (voided ones count) waits, and its caller waits with it. */
  after(bought: number): Promise<void>
  untilHeld(): Promise<void>
  /** The held purchase succeeds, as if only its answer were lost; or it never arrives. */
  end(how: 'bought' | 'lost'): Promise<void>
  /** Also for a test that did not reach its end. */
  stop(): void
}

/** Keeps one purchase of the sandbox carrier waiting inside its own tables. */
export async function holdSandbox(owner: pg.Pool): Promise<SandboxHold> {
  let holder: pg.PoolClient | undefined
  const letGo = () => {
    holder?.release(true)
    holder = undefined
  }
  const setLimit = (bought: number) =>
    owner.query(
      `create or replace function hold_purchase() returns trigger language plpgsql security definer as $$
       begin
         if (select count(*) from sandbox_parcels where state <> 'quoted') >= ${bought} then
           perform pg_advisory_xact_lock(${lock[0]}, ${lock[1]});
         end if;
         return new;
       end $$`,
    )
  await setLimit(1_000_000)
  await owner.query(
    `create trigger hold_purchase before update on sandbox_parcels for each row
     when (old.state = 'quoted' and new.state = 'bought') execute function hold_purchase()`,
  )
  const waiting = async () => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and not granted and classid = $1 and objid = $2
         and database = (select oid from pg_database where datname = current_database())`,
      [...lock],
    )
    return rows
  }
  const untilNoneWaits = async () => {
    while ((await waiting()).length > 0) await sleep(10)
  }
  return {
    async after(bought) {
      letGo()
      holder = await owner.connect()
      await holder.query('select pg_advisory_lock($1, $2)', [...lock])
      await setLimit(bought)
    },
    async untilHeld() {
      for (let tries = 0; (await waiting()).length === 0; tries++) {
        if (tries > 1_200) throw new Error('No purchase came that far.')
        await sleep(50)
      }
    },
    async end(how) {
      await setLimit(1_000_000)
      for (const { pid } of how === 'lost' ? await waiting() : [])
        await owner.query('select pg_terminate_backend($1)', [pid])
      if (how === 'lost') await untilNoneWaits()
      letGo()
      await untilNoneWaits()
    },
    stop: letGo,
  }
}
