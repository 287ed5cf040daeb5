import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { deskCalls, marketplaceCredential, openDesk } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { anOrder } from '../../test/orders.ts'
import { startAppOn } from '../../test/processes/app-on.ts'
import { systemClock } from './clock/system-clock.ts'
import { startEmbeddedPostgres, startThrowawayPostgres } from './postgres/embedded.ts'
import { openDatabase, poolOptions } from './db/database.ts'
import { hasLostDatabase } from './db/database-errors.ts'
import { migrate } from './db/migrate.ts'

/** A migrated PostgreSQL of its own, which can be told to wait for a standby that never comes. */
async function startReplicated() {
  const postgres = await startThrowawayPostgres()
  const { host, port, user, password } = postgres
  const address = { host, port, user, ...(password === undefined ? {} : { password }) }
  const owner = new pg.Pool({ ...poolOptions(address, undefined), pipeline: false, max: 3 } as pg.PoolConfig)
  owner.on('error', () => undefined)
  await migrate(address)

  /** The processes that wait for the standby, and whose last statements contain the text. */
  const listWaiting = async (text = '') => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event = 'SyncRep' and query like '%' || $1 || '%'`,
      [text],
    )
    return rows.map(({ pid }) => pid)
  }
  const tell = async (standbys: string) => {
    await owner.query(`alter system set synchronous_standby_names = '${standbys}'`)
    await owner.query('select pg_reload_conf()')
  }
  /** The setting reaches the commits a moment after it can be read. */
  const doesWait = async () => {
    let isDone = false
    const message = owner
      .query(`select pg_logical_emit_message(true, 'a probe', '')`)
      .then(() => (isDone = true))
    const [pid] = await eventually(async () => {
      const pids = await listWaiting('a probe')
      expect(isDone || pids.length > 0).toBe(true)
      return pids
    })
    if (pid !== undefined) await owner.query('select pg_cancel_backend($1)', [pid])
    await message
    return pid !== undefined
  }
  return {
    postgres,
    address,
    owner,
    listWaiting,
    async loseStandby() {
      await tell('away')
      await eventually(async () => expect(await doesWait()).toBe(true))
    },
    findStandby: () => tell(''),
  }
}

test('a database that only reads refuses changes and shows lists, and its connections are not kept for later', async () => {
  const desk = await openDesk()
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  const make = async (readOnly: 'on' | 'off') =>
    desk.owner.query(
      `begin read write; alter database ${rows[0]?.name} set default_transaction_read_only = ${readOnly}; commit`,
    )
  try {
    const shop = await desk.openShop()
    const { id } = await desk.order(shop)
    const as = shop.member
    const accept = async () =>
      desk.send('PUT', `/m/v2/orders/${id}`, { as, body: { status: 'MERCHANT_ACCEPTED' } })
    await make('on')
    await desk.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await eventually(async () => {
      const list = await desk.send('GET', `/m/v2/merchant/${shop.key}/orders/optimized`, { as })
      expect(list.status).toBe(200)
    })
    for (let times = 0; times < 3; times++) {
      const { status, headers, refusal } = await accept()
      expect([status, headers.get('retry-after'), refusal.code]).toEqual([503, '2', 'database_unavailable'])
    }
    await make('off')
    // The pool closes what is idle for ten seconds. Repeated sooner than that, the same connection would refuse forever.
    await eventually(async () => expect((await accept()).status).toBe(200))
  } finally {
    await desk.stop()
  }
})

test('a standby at the database’s address counts as a database that is away, also for a look, until it is the primary', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellarhand-'))
  chmodSync(folder, 0o711)
  const start = async () =>
    startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => undefined, connections: 20 })
  try {
    const primary = await start()
    await migrate(primary)
    await primary.stop()
    writeFileSync(join(primary.dataDir, 'standby.signal'), '')
    const standby = await start()
    const db = openDatabase(standby, { clock: systemClock, onIdleError: () => undefined })
    try {
      const replies = 'select reply from idempotent_replies'
      const asks = {
        glance: () => db.glance('x', 'select 1 as one from scope'),
        read: () => db.read('x', ({ query }) => query(replies)),
        write: () => db.write('x', ({ query }) => query(replies)),
        system: () => db.system(({ query }) => query(replies)),
        systemQuery: () => db.systemQuery(replies),
      }
      for (const [name, ask] of Object.entries(asks)) {
        const failure: unknown = await ask().catch((error: unknown) => error)
        expect([name, failure]).toMatchObject([name, { code: '25006' }])
        expect(hasLostDatabase(failure)).toBe(true)
      }
      const owner = new pg.Client(standby)
      await owner.connect()
      await owner.query('select pg_promote()')
      await owner.end()
      for (const ask of Object.values(asks)) await ask()
    } finally {
      await db.close()
      await standby.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a commit that nobody waits for any more leaves no process behind in PostgreSQL', async () => {
  const { postgres, address, owner, listWaiting, loseStandby, findStandby } = await startReplicated()
  const db = openDatabase(address, {
    clock: systemClock,
    onIdleError: () => undefined,
    limits: { app: 1, system: 1, silence: 2_000 },
  })
  try {
    // Opens the connection, so that only the commit is silent.
    await db.systemQuery('select 1')
    await loseStandby()
    const written = db.system(({ query }) => query(`insert into rate_limits values ('a key', 1, now())`))
    await expect(written).rejects.toThrow('silent for 2000 ms')
    await eventually(async () => expect(await listWaiting()).toEqual([]))
  } finally {
    await findStandby()
    await db.close()
    await owner.end()
    await postgres.stop()
  }
})

test('while no standby follows, a change is not acknowledged, nor by the same key again; lists stay', async () => {
  const { postgres, address, owner, listWaiting, loseStandby, findStandby } = await startReplicated()
  const { app, url } = await startAppOn(address)
  try {
    const desk = deskCalls(owner, () => url)
    const shop = await desk.openShop()
    const body = anOrder(shop.key)
    const create = () =>
      desk.send('POST', '/marketplace/v1/orders', {
        as: marketplaceCredential,
        body,
        headers: { 'idempotency-key': 'the-same' },
      })
    await loseStandby()
    const first = create()
    const [pid] = await eventually(async () => {
      const pids = await listWaiting('pg_logical_emit_message')
      expect(pids).toHaveLength(1)
      return pids
    })
    // As after a crash of the primary: the change is there, and no standby has it.
    await owner.query('select pg_terminate_backend($1)', [pid])
    expect((await first).status).toBe(503)
    await eventually(async () => {
      const { rows } = await owner.query('select from orders where merchant_id = $1', [shop.key])
      expect(rows).toHaveLength(1)
    })

    const again = create()
    await eventually(async () => expect(await listWaiting('pg_logical_emit_message')).toHaveLength(1))
    // Each of them writes as the system, whose connections also look up the sessions.
    const webhook = { url: 'http://127.0.0.1:9/', secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }
    const others = Array.from({ length: 8 }, async () =>
      desk.send('PUT', '/marketplace/v1/webhook', { as: marketplaceCredential, body: webhook }),
    )
    await eventually(async () => {
      const { rows } = await owner.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' or wait_event = 'SyncRep'`,
      )
      // The change of the order, and what the system may write at once.
      expect(rows.length).toBeGreaterThanOrEqual(4)
    })
    for (const { token } of [shop.member, shop.manager, shop.owner]) {
      const list = await desk.send('GET', `/m/v2/merchant/${shop.key}/orders/optimized`, {
        as: `Bearer ${token}`,
      })
      expect(list.status).toBe(200)
    }
    await findStandby()
    await Promise.all(others)
    // The server may have given up waiting on a very slow machine.
    expect([201, 503]).toContain((await again).status)
    const [one, other] = [await create(), await create()]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(other.text).toBe(one.text)
  } finally {
    await findStandby()
    await app.close()
    await owner.end()
    await postgres.stop()
  }
})
