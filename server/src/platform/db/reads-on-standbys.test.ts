import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../../../test/database/standbys.ts'
import { deskCalls, marketplaceCredential, type DeskCalls, type Shop } from '../../../test/desk.ts'
import { listen } from '../../../test/event-reader.ts'
import { eventually } from '../../../test/eventually.ts'
import { startAppOn } from '../../../test/processes/app-on.ts'
import { systemClock } from '../clock/system-clock.ts'
import { openDatabase, type Database } from './database.ts'
import { readOnStandbys } from './reads-on-standbys.ts'

let cluster: Cluster
/** Two processes of one shop, as behind a load balancer. */
let desks: (DeskCalls & Awaited<ReturnType<typeof startAppOn>>)[]
let shop: Shop

beforeAll(async () => {
  cluster = await startCluster()
  const environment = {
    DATABASE_URL: cluster.url,
    READ_URLS: cluster.standbys.map(({ url }) => url).join(' '),
  }
  const apps = [
    await startAppOn(cluster.address, { environment }),
    await startAppOn(cluster.address, { environment }),
  ]
  desks = apps.map(({ app, url }) => ({ ...deskCalls(cluster.owner, () => url), app, url }))
  shop = await desk(0).openShop()
  await allInUse()
}, 300_000)

afterAll(async () => {
  for (const { app } of desks) await app.close()
  await cluster.stop()
})

const desk = (place: number) => desks[place % desks.length] as (typeof desks)[number]
const standby = (place: number) => cluster.standbys[place] as Cluster['standbys'][number]

function placesOf(db: Database) {
  const { primary = 0, standbys = [] } = db.readsByPlace?.() ?? {}
  return {
    primary,
    standbys: standbys.map(({ reads }) => reads),
    inUse: standbys.map(({ isInUse }) => isInUse),
    passedOver: standbys.map(({ passedOver }) => passedOver),
  }
}

/** The standby that was away may have missed some log, and a held one has not replayed it. */
async function allInUse(): Promise<void> {
  await eventually(async () => {
    const { rows } = await cluster.owner.query<{ at: string }>('select pg_current_wal_flush_lsn() as at')
    for (const { owner } of cluster.standbys) {
      const answer = await owner.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there', [
        rows[0]?.at,
      ])
      expect(answer.rows).toEqual([{ is_there: true }])
    }
    for (const { app } of desks) expect(placesOf(app.db).inUse).toEqual([true, true])
  })
}

/** One change at one process, then what it changed at the other: detail, list, counts and search. */
async function writeThenRead(round: number): Promise<void> {
  const writing = desk(round)
  const reading = desk(round + 1)
  const { id } = await writing.order(shop)
  const as = shop.member
  const reads = () =>
    Promise.all([
      reading.call('GET /m/v2/orders/{id}', { as, params: { id } }),
      reading.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
        as,
        params: { tmk: shop.key },
        query: { limit: 30 },
      }),
      reading.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
        as,
        params: { tmk: shop.key },
        query: { 'filter[search]': id },
      }),
    ])
  const [created, list, hits] = await reads()
  expect([created.status, created.body.status]).toEqual([200, 'SUBMITTED'])
  const statusIn = ({ body }: typeof list) => body.items.find((order) => order.id === id)?.status
  expect(statusIn(list)).toBe('SUBMITTED')
  expect(hits.body.items.map((order) => order.id)).toEqual([id])
  const accepted = await writing.call('PUT /m/v2/orders/{id}', {
    as,
    params: { id },
    body: { id, status: 'MERCHANT_ACCEPTED' },
  })
  expect(accepted.status).toBe(200)
  const [detail, after] = await reads()
  expect([detail.status, detail.body.status]).toEqual([200, 'MERCHANT_ACCEPTED'])
  expect(statusIn(after)).toBe('MERCHANT_ACCEPTED')
}

/** As one screen after the other asks: no answer is older than the one before, and nothing fails. */
async function readWhile(fault: () => Promise<void>): Promise<void> {
  let isOver = false
  let told = 0
  const as = shop.member
  const write = async () => {
    for (let round = 0; !isOver; round++) {
      await desk(round).order(shop)
      told++
    }
  }
  const read = async (place: number) => {
    for (let round = place, last = 0; !isOver; round++) {
      const least = Math.max(last, told)
      const answer = await desk(round).call('GET /m/v2/merchant/{tmk}/orders/optimized', {
        as,
        params: { tmk: shop.key },
        query: { limit: 1 },
      })
      expect(answer.status).toBe(200)
      expect(answer.body.total_rows).toBeGreaterThanOrEqual(least)
      last = answer.body.total_rows
    }
  }
  const first = await desk(0).call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as,
    params: { tmk: shop.key },
    query: { limit: 1 },
  })
  told = first.body.total_rows
  const all = Promise.all([write(), ...[0, 1, 2, 3].map(read)])
  try {
    await fault()
  } finally {
    isOver = true
    await all
  }
}

async function scansOfOrders(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ scans: string }>(
    `select coalesce(sum(seq_scan + idx_scan), 0) as scans from pg_stat_user_tables where relname = 'orders'`,
  )
  return Number(rows[0]?.scans)
}

test('lists, searches, details, counts and papers are read on the standbys, and none on the primary', async () => {
  const { id } = await desk(0).order(shop)
  const as = shop.member
  await allInUse()
  const before = placesOf(desk(0).app.db)
  const scansBefore = await Promise.all(cluster.standbys.map(({ owner }) => scansOfOrders(owner)))
  for (let round = 0; round < 6; round++) {
    for (const path of [
      `/m/v2/merchant/${shop.key}/orders/optimized?filter[tab]=active&limit=${round + 1}`,
      `/m/v2/merchant/${shop.key}/orders/optimize?filter[search]=${id}`,
      `/m/v2/orders/${id}`,
      `/m/v2/merchant/${shop.key}/orders/count`,
      `/c/v2/merchants/${shop.key}`,
    ])
      expect([path, (await desk(0).send('GET', path, { as })).status]).toEqual([path, 200])
  }
  expect(
    (await desk(0).send('GET', `/m/v2/merchant/${shop.key}/orders/${id}/reports/packingslip`, { as })).status,
  ).toBe(200)
  const after = placesOf(desk(0).app.db)
  const passed = ({ passedOver }: typeof after) =>
    passedOver.reduce((sum, { behind, away, failed }) => sum + behind + away + failed, 0)
  // A machine that is busy elsewhere may keep both of them back for longer than a read waits.
  if (passed(after) === passed(before)) expect(after.primary).toBe(before.primary)
  // Another read each time: a standby that was behind got none, and PostgreSQL counts them with a delay.
  for (const place of [0, 1])
    await eventually(async () => {
      await desk(0).send('GET', `/m/v2/orders/${id}`, { as })
      expect(placesOf(desk(0).app.db).standbys[place]).toBeGreaterThan(before.standbys[place] ?? 0)
      expect(await scansOfOrders(standby(place).owner)).toBeGreaterThan(scansBefore[place] ?? 0)
    })
})

test('a shop that only reads, on a standby, is there for the crowds of the primary', async () => {
  const { db } = desk(0).app
  await allInUse()
  await eventually(async () => {
    await eventually(() => expect(db.pace.isBesideOthers('a crowd')).toBe(false))
    const before = placesOf(db)
    await db.view(shop.key, async ({ query }) => query('select'))
    expect(db.pace.isBesideOthers('a crowd')).toBe(true)
    // A standby that was behind would have left the look to the primary.
    expect(placesOf(db).primary).toBe(before.primary)
  })
})

test('a change at one process is in the next answer of the other', async () => {
  for (let round = 0; round < 10; round++) await writeThenRead(round)
})

test('a standby that is held back is passed over, and so are both', async () => {
  const before = placesOf(desk(0).app.db)
  await standby(0).hold()
  try {
    let round = 0
    // The other one, too, may come too late for a read on a busy machine.
    const one = await eventually(async () => {
      await writeThenRead(round++)
      const places = placesOf(desk(0).app.db)
      expect(places.passedOver[0]?.behind).toBeGreaterThan(before.passedOver[0]?.behind ?? 0)
      expect(places.standbys[1]).toBeGreaterThan(before.standbys[1] ?? 0)
      return places
    })
    await standby(1).hold()
    for (round = 0; round < 4; round++) await writeThenRead(round)
    expect(placesOf(desk(0).app.db).primary).toBeGreaterThan(one.primary)
  } finally {
    await standby(0).release()
    await standby(1).release()
  }
  await allInUse()
  const caughtUp = placesOf(desk(0).app.db)
  await eventually(async () => {
    await writeThenRead(1)
    const now = placesOf(desk(0).app.db)
    for (const place of [0, 1]) expect(now.standbys[place]).toBeGreaterThan(caughtUp.standbys[place] ?? 0)
  })
})

test('a reader who heard of a change by the event stream is never answered from before it', async () => {
  const as = shop.member
  const stream = await listen(desk(1) as never, { key: shop.key, as })
  await standby(0).hold()
  try {
    for (let round = 0; round < 5; round++) {
      const { id } = await desk(0).order(shop)
      const isOf = (name: string) => (event: { event: string; data: unknown }) =>
        event.event === name && (event.data as { id: string }).id === id
      await stream.next(isOf('order.created'))
      await desk(0).call('PUT /m/v2/orders/{id}', {
        as,
        params: { id },
        body: { id, status: 'MERCHANT_ACCEPTED' },
      })
      await stream.next(isOf('order.updated'))
      for (const place of [0, 1]) {
        const seen = await desk(place).call('GET /m/v2/orders/{id}', { as, params: { id } })
        expect([seen.status, seen.body.status]).toEqual([200, 'MERCHANT_ACCEPTED'])
        // The marketplace has no session.
        const from = { as: marketplaceCredential }
        const told = await desk(place).send('GET', `/marketplace/v1/orders/${id}`, from)
        expect(told.body).toMatchObject({ status: 'MERCHANT_ACCEPTED' })
        const ref = String(
          (told.body as { thirstie_logistic_order_ref?: string }).thirstie_logistic_order_ref,
        )
        const listed = await desk(place).send('GET', `/marketplace/v1/orders?ref=${ref}`, from)
        expect(listed.body).toMatchObject({ orders: [{ id, status: 'MERCHANT_ACCEPTED' }] })
      }
    }
  } finally {
    await standby(0).release()
    await stream.cut()
  }
  await allInUse()
})

test('a frozen standby costs a second try and no error, and is used again when it goes on', async () => {
  await readWhile(async () => {
    standby(0).freeze()
    try {
      for (const { app } of desks)
        await eventually(() => expect(placesOf(app.db).inUse).toEqual([false, true]))
      await writeThenRead(0)
    } finally {
      standby(0).thaw()
    }
    await allInUse()
  })
})

test('killed standbys cost a second try and no error, one as well as both, and are used again', async () => {
  await readWhile(async () => {
    await standby(1).kill()
    for (const { app } of desks) await eventually(() => expect(placesOf(app.db).inUse).toEqual([true, false]))
    await writeThenRead(0)
    await standby(0).kill()
    for (const { app } of desks)
      await eventually(() => expect(placesOf(app.db).inUse).toEqual([false, false]))
    await writeThenRead(1)
    await standby(0).start()
    await standby(1).start()
  })
  await allInUse()
  await writeThenRead(0)
})

test('held back and let go in turn, the standbys never show anything older', async () => {
  await readWhile(async () => {
    for (let round = 0; round < 6; round++) {
      await standby(round % 2).hold()
      await writeThenRead(round)
      await standby(round % 2).release()
      await writeThenRead(round)
    }
  })
  await allInUse()
})

test('a look that the recovery cancels is done again on the primary', async () => {
  const db = openReads(cluster.url, [standby(0).url])
  try {
    await standby(0).owner.query('alter system set max_standby_streaming_delay = 0')
    await standby(0).owner.query('select pg_reload_conf()')
    await eventually(() => expect(placesOf(db).inUse).toEqual([true]))
    let tries = 0
    const found = await db.view(shop.key, async ({ query }) => {
      const rows = await query<{ name: string; follows: boolean }>(
        'select name, pg_is_in_recovery() as follows from merchants',
      )
      if (++tries === 1) {
        expect(rows[0]?.follows).toBe(true)
        // Its replay needs a lock that this look holds.
        await cluster.owner.query('begin; lock table merchants in access exclusive mode; commit')
        await query('select pg_sleep(60)')
      }
      return rows
    })
    expect(found).toEqual([{ name: `Shop ${shop.key}`, follows: false }])
    expect([tries, placesOf(db).passedOver[0]?.failed]).toEqual([2, 1])
  } finally {
    await standby(0).owner.query('alter system reset max_standby_streaming_delay')
    await standby(0).owner.query('select pg_reload_conf()')
    await db.close()
  }
})

test('a refusal of the look itself is no failure of the standby', async () => {
  const db = openReads(cluster.url, [standby(0).url])
  try {
    await eventually(() => expect(placesOf(db).inUse).toEqual([true]))
    let tries = 0
    const refused = db.view(shop.key, async () => {
      tries++
      throw new Error('No such order')
    })
    await expect(refused).rejects.toThrow('No such order')
    expect([tries, placesOf(db).passedOver[0]?.failed]).toEqual([1, 0])
  } finally {
    await db.close()
  }
})

test('an address that leads to no standby of this database answers nothing', async () => {
  const reasons: unknown[] = []
  const db = openReads(cluster.url, [cluster.url], (reason) => reasons.push(reason))
  try {
    await eventually(() => expect(reasons).toEqual(['it follows no primary']))
    expect(await db.glance(shop.key, 'select pg_is_in_recovery() as follows from scope')).toEqual([
      { follows: false },
    ])
  } finally {
    await db.close()
  }
})

test('after a fail-over a standby of the primary before answers nothing, however much log it has', async () => {
  await allInUse()
  await standby(0).owner.query('select pg_promote()')
  // The other one gets log that the new primary does not have.
  await cluster.owner.query(`select pg_logical_emit_message(false, 'much', repeat('x', 1000000))`)
  await cluster.owner.query('checkpoint')
  const db = openReads(standby(0).url, [standby(1).url])
  try {
    await eventually(() => expect(placesOf(db).inUse).toEqual([true]))
    for (const { app } of desks) await eventually(() => expect(placesOf(app.db).inUse).toEqual([false, true]))
    await db.system(({ query }) => query('update merchants set name = $1', ['Changed since']))
    for (let round = 0; round < 3; round++)
      expect(await db.view(shop.key, ({ query }) => query('select name from merchants'))).toEqual([
        { name: 'Changed since' },
      ])
    expect(placesOf(db)).toMatchObject({ primary: 3, standbys: [0] })
  } finally {
    await db.close()
  }
})

function openReads(
  url: string,
  urls: readonly string[],
  onTurn: (reason: string | undefined) => void = () => undefined,
): Database {
  const primary = openDatabase({ url }, { clock: systemClock, onIdleError: () => undefined })
  return readOnStandbys(primary, {
    clock: systemClock,
    urls,
    onTurn: (_standby, reason) => onTurn(reason),
  })
}
