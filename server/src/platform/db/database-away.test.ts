import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAppOn } from '../../../test/processes/app-on.ts'
import { cloneDatabase, type ClonedDatabase } from '../../../test/database/cloned-database.ts'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { Road } from '../../../test/road.ts'
import { systemClock } from '../clock/system-clock.ts'
import { openDatabase, type Database } from './database.ts'
import { isDatabaseAway, ofDatabase } from './database-errors.ts'
import { patientClient } from './patient-client.ts'

describe('when the database is unreachable', () => {
  let desk: Desk
  let shop: Shop
  let cloned: ClonedDatabase
  let road: Road
  let app: Awaited<ReturnType<typeof startAppOn>>['app']
  let url: string
  beforeAll(async () => {
    desk = await openDesk()
    shop = await desk.openShop()
    cloned = await cloneDatabase()
    road = new Road(cloned.address)
    await road.open()
    ;({ app, url } = await startAppOn(road.address))
  })
  afterAll(async () => {
    await app.close()
    await road.close()
    await cloned.drop()
    await desk.stop()
  })

  const calls: [string, RequestInit][] = [
    ['/c/v2/merchants/x', { headers: { authorization: '' } }],
    [
      '/marketplace/v1/orders/1000001',
      { headers: { authorization: `Basic ${btoa('marketplace:marketplace')}` } },
    ],
    [
      '/a/v2/sessions',
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa('dashboard:dashboard')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ email: 'a@b.co', password: 'x' }),
      },
    ],
  ]
  const ask = async ([path, request]: [string, RequestInit]) => {
    const headers = { ...(request.headers as Record<string, string>) }
    if (headers['authorization'] === '') headers['authorization'] = `Bearer ${shop.member.token}`
    const response = await fetch(new URL(path, url), { ...request, headers })
    return {
      status: response.status,
      retry: response.headers.get('retry-after'),
      body: (await response.json()) as unknown,
    }
  }
  const before = [401, 404, 401]
  const readiness = async () => (await fetch(new URL('/readyz', url))).status

  test('every call says so and when to come back; the process lives, and works once the database is back', async () => {
    const statuses = async () => Promise.all(calls.map(async (call) => (await ask(call)).status))
    await expect.poll(statuses).toEqual(before)
    for (let round = 0; round < 2; round++) {
      await road.close()
      for (const answer of await Promise.all(calls.map(ask)))
        expect(answer).toEqual({
          status: 503,
          retry: '2',
          body: expect.objectContaining({
            message: 'The service is briefly unavailable. Please try again in a moment.',
            code: 'database_unavailable',
          }),
        })
      expect((await fetch(new URL('/healthz', url))).status).toBe(200)
      await expect.poll(readiness).toBe(503)
      await road.open()
      await expect.poll(readiness).toBe(200)
      await expect.poll(statuses).toEqual(before)
    }
  })
})

describe('colliding transactions', () => {
  let cloned: ClonedDatabase
  let db: Database
  beforeAll(async () => {
    cloned = await cloneDatabase()
    db = openDatabase(cloned.address, { clock: systemClock, onIdleError: () => undefined })
    await cloned.owner.query(
      `create table pairs (id int primary key, n int not null); insert into pairs values (1, 0), (2, 0);
       grant select, update on pairs to cellarhand_app`,
    )
  })
  afterAll(async () => {
    await db.close()
    await cloned.drop()
  })

  test('a transaction fails with the failed statement’s error, not with that of the statements behind it', async () => {
    const failure = db.write('x', async ({ query }) => {
      query('select 1 / 0').catch(() => undefined)
      await query('select 1')
    })
    await expect(failure).rejects.toMatchObject({ code: '22012' })
  })

  test('a deadlock’s victim runs once more, and both have their effect once', async () => {
    let runs = 0
    const arrived: (() => void)[] = []
    const bothHaveOne = new Promise<void>((resolve) => arrived.push(resolve))
    let inside = 0
    const add = async (first: number, then: number) =>
      db.write('x', async ({ query }) => {
        runs++
        await query('update pairs set n = n + 1 where id = $1', [first])
        if (++inside === 2) arrived[0]?.()
        await bothHaveOne
        await query('update pairs set n = n + 1 where id = $1', [then])
      })
    await Promise.all([add(1, 2), add(2, 1)])
    // Another run or two: the victim may be quicker than the transaction that it gave way to.
    expect(runs).toBeGreaterThan(2)
    const { rows } = await cloned.owner.query('select n from pairs order by id')
    expect(rows).toEqual([{ n: 2 }, { n: 2 }])
  })

  test.each(['40001', '40P01'])(
    'a transaction that PostgreSQL cancels with %s is tried again, at most five times',
    async (code) => {
      let runs = 0
      const failing = async (times: number) =>
        db.write('x', async ({ query }) => {
          if (++runs <= times)
            await query(`do $$ begin raise exception 'collision' using errcode = '${code}'; end $$`)
          return 'done'
        })
      expect(await failing(4)).toBe('done')
      expect(runs).toBe(5)
      runs = 0
      await expect(failing(9)).rejects.toMatchObject({ code })
      expect(runs).toBe(5)
    },
  )

  test('any other failure is not repeated, and leaves nothing behind', async () => {
    let runs = 0
    const failing = db.write('x', async ({ query }) => {
      runs++
      await query('update pairs set n = 99')
      await query('select 1 / 0')
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(runs).toBe(1)
    const { rows } = await cloned.owner.query('select from pairs where n = 99')
    expect(rows).toEqual([])
  })

  test('a merchant’s name is a value, with any characters', async () => {
    for (const merchant of [`x'; drop table pairs; --`, 'a"b', 'a\\b', '$1']) {
      const read = await db.read(merchant, ({ query }) =>
        query(`select current_setting('app.merchant') as merchant`),
      )
      expect(read).toEqual([{ merchant }])
      const written = await db.write(merchant, ({ query }) =>
        query(`select current_setting('app.merchant') as merchant`),
      )
      expect(written).toEqual([{ merchant }])
    }
  })
})

describe('a database that falls silent', () => {
  test('waiting calls fail after a while, and later ones get new connections', async () => {
    const cloned = await cloneDatabase()
    const road = new Road(cloned.address)
    await road.open()
    const db = openDatabase(road.address, {
      clock: systemClock,
      onIdleError: () => undefined,
      limits: { app: 1, system: 1, silence: 300 },
    })
    try {
      const ask = () => db.systemQuery<{ one: number }>('select 1 as one')
      // A slow machine may fall silent for as long by itself.
      expect(await eventually(ask)).toEqual([{ one: 1 }])
      road.fallSilent()
      const error = await ask().catch((reason: unknown) => reason)
      expect([isDatabaseAway(error), String(error)]).toEqual([
        true,
        'Error: The database was silent for 300 ms',
      ])
      expect(await eventually(ask)).toEqual([{ one: 1 }])
    } finally {
      await db.close()
      await road.close()
      await cloned.drop()
    }
  })
})

test('a missing socket and a broken connection are a database away; a missing file and a closed pipe are not', async () => {
  const broken = () => Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' })
  const withoutSocket = patientClient(
    { host: '/not/there', port: 5432, user: 'desk', database: 'desk' },
    undefined,
  )
  const errors = [
    await withoutSocket.connect().catch((error: unknown) => error),
    ofDatabase(broken()),
    await readFile('/not/there').catch((error: unknown) => error),
    broken(),
  ]
  expect(errors.map(isDatabaseAway)).toEqual([true, true, false, false])
})
