import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import type { Database } from '../db/database.ts'
import { askedBy, askerNow, ownWork } from '../turns/asker.ts'
import { whileHolding } from './claim.ts'
import { enqueueJob, startWorkers, type HeldJob } from './queue.ts'
import type { Worker } from './worker.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  await desk.owner.query('create table work_notes (worker text)')
  await desk.owner.query('grant all on work_notes to cellarhand_app, cellarhand_system')
})
afterAll(async () => desk.stop())

const enqueue = (kind: string) =>
  desk.app.db.write(shop.key, (statements) =>
    enqueueJob(statements, { merchantId: shop.key, kind, payload: {} }),
  )

const until = async (isTrue: () => boolean | Promise<boolean>) =>
  eventually(async () => expect(await isTrue()).toBe(true))

async function jobsOf(kind: string) {
  const { rows } = await desk.owner.query<{ attempts: number; error: string | null }>(
    'select attempts, error from jobs where kind = $1',
    [kind],
  )
  return rows
}

function workersOf(
  kind: string,
  run: (job: HeldJob) => Promise<void>,
  giveUp: (job: HeldJob) => Promise<void> = async () => {},
): Worker {
  return startWorkers({ db: desk.app.db, kinds: { [kind]: { run, giveUp } }, onError: () => undefined })
}

test('each job is done once, by one of several workers', async () => {
  const done: string[] = []
  const workers = [1, 2, 3].map(() =>
    workersOf('once', async (job) => {
      done.push(job.jobId)
      await desk.app.db.system((statements) => job.finish(statements))
    }),
  )
  for (let count = 0; count < 8; count++) await enqueue('once')
  for (const each of workers) each.wake()
  await until(async () => (await jobsOf('once')).length === 0)
  expect(new Set(done).size).toBe(8)
  expect(done).toHaveLength(8)
  await Promise.all(workers.map((each) => each.stop()))
})

test('a worker that seemed dead writes nothing after another has taken its job', async () => {
  let wakeUp = () => {}
  const asleep = new Promise<void>((resolve) => (wakeUp = resolve))
  let lateError: unknown
  await desk.owner.query('truncate work_notes')
  const note = (job: HeldJob, worker: string) =>
    desk.app.db.write(shop.key, async (statements) => {
      await job.hold(statements)
      await statements.query('insert into work_notes values ($1)', [worker])
    })
  // Another worker inherits the job; so may the first worker, which has room for a second job.
  const work = async (job: HeldJob) => {
    if (job.takenTimes > 1) {
      await note(job, 'heir')
      return desk.app.db.system((statements) => job.finish(statements))
    }
    await asleep
    await note(job, 'zombie').catch((error: unknown) => (lateError = error))
    throw lateError
  }
  const zombie = workersOf('zombie', work)
  await enqueue('zombie')
  zombie.wake()
  await until(async () => (await jobsOf('zombie'))[0]?.attempts === 1)
  // The job's lease runs out while the job hangs.
  await desk.owner.query("update jobs set due_at = now() where kind = 'zombie'")
  const heir = workersOf('zombie', work)
  heir.wake()
  await until(async () => (await jobsOf('zombie')).length === 0)
  wakeUp()
  await Promise.all([zombie.stop(), heir.stop()])
  expect(String(lateError)).toContain('taken over')
  const { rows } = await desk.owner.query<{ worker: string }>('select worker from work_notes')
  expect(rows).toEqual([{ worker: 'heir' }])
})

test('a failing job is tried again later with its reason stored, and given up after five times', async () => {
  let givenUp = 0
  const workers = workersOf(
    'failing',
    async () => {
      throw new Error('no paper')
    },
    async (job) => {
      givenUp++
      await desk.app.db.system((statements) => job.finish(statements))
    },
  )
  await enqueue('failing')
  workers.wake()
  await until(async () => (await jobsOf('failing'))[0]?.error?.includes('no paper') === true)
  while (givenUp === 0) {
    await desk.owner.query(
      "update jobs set due_at = now() where kind = 'failing' and due_at > now() + interval '1 second' and error is not null",
    )
    workers.wake()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // It is told before its transaction is over.
  await until(async () => (await jobsOf('failing')).length === 0)
  expect(givenUp).toBe(1)
  await workers.stop()
})

test('a stopping process hands its job on at once', async () => {
  const first = workersOf(
    'handed on',
    (job) =>
      new Promise((_, reject) => job.signal.addEventListener('abort', () => reject(new Error('stopping')))),
  )
  await enqueue('handed on')
  first.wake()
  await until(async () => (await jobsOf('handed on'))[0]?.attempts === 1)
  await first.stop()
  expect(await jobsOf('handed on')).toMatchObject([{ attempts: 0 }])
  const second = workersOf('handed on', (job) => desk.app.db.system((statements) => job.finish(statements)))
  second.wake()
  await until(async () => (await jobsOf('handed on')).length === 0)
  await second.stop()
})

/** The job's process dies again and again: nobody releases the job, and its lease runs out. */
async function dieAfter(kind: string, step: (job: HeldJob) => Promise<void>, times: number) {
  let givenUp = 0
  const zombies: Worker[] = []
  const asleep = new AbortController()
  for (let time = 0; time < times && givenUp === 0; time++) {
    let isTaken = false
    const worker = workersOf(
      kind,
      async (job) => {
        await step(job)
        isTaken = true
        // Acts like a dead worker: it neither ends nor reports.
        await new Promise((resolve) => asleep.signal.addEventListener('abort', resolve))
      },
      async (job) => {
        givenUp++
        await desk.app.db.system((statements) => job.finish(statements))
      },
    )
    zombies.push(worker)
    worker.wake()
    await until(() => isTaken || givenUp > 0)
    await desk.owner.query('update jobs set due_at = now() where kind = $1', [kind])
  }
  asleep.abort()
  await Promise.all(zombies.map((each) => each.stop()))
  return givenUp
}

test('a job whose process dies each time is given up after five tries without progress, and never while it advances', async () => {
  await enqueue('stuck')
  expect(await dieAfter('stuck', async () => undefined, 7)).toBe(1)
  await enqueue('slow')
  const getFurther = (job: HeldJob) => desk.app.db.write(shop.key, (statements) => job.advance(statements))
  expect(await dieAfter('slow', getFurther, 9)).toBe(0)
  await desk.owner.query(`delete from jobs where kind = 'slow'`)
})

test('a job that waits for something outside goes back without counting a try, and is taken again after its pause', async () => {
  const taken: number[] = []
  const workers = workersOf('resting', async (job) => {
    taken.push((await jobsOf('resting'))[0]?.attempts ?? 0)
    if (taken.length < 8) return job.rest(0)
    return desk.app.db.system((statements) => job.finish(statements))
  })
  await enqueue('resting')
  workers.wake()
  await until(async () => {
    workers.wake()
    return (await jobsOf('resting')).length === 0
  })
  expect(taken).toEqual(Array(8).fill(1))
  await workers.stop()
})

test('a worker that has put a job back writes nothing more', async () => {
  let late: unknown
  const workers = workersOf('put back', async (job) => {
    await job.rest(60)
    await desk.app.db
      .write(shop.key, (statements) => job.advance(statements))
      .catch((error: unknown) => (late = error))
  })
  await enqueue('put back')
  workers.wake()
  await until(() => late !== undefined)
  expect(String(late)).toContain('taken over')
  await workers.stop()
})

test('jobs of merchants are taken in turn: one does not wait behind the many of another', async () => {
  const other = await desk.openShop()
  const begun: string[] = []
  let finish = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const workers = workersOf('turns', async (job) => {
    begun.push(job.merchantId)
    await finished
    await desk.app.db.system((statements) => job.finish(statements))
  })
  for (let count = 0; count < 5; count++) await enqueue('turns')
  workers.wake()
  await until(() => begun.length === 1)
  await desk.app.db.write(other.key, (statements) =>
    enqueueJob(statements, { merchantId: other.key, kind: 'turns', payload: {} }),
  )
  workers.wake()
  await until(() => begun.length === 2)
  expect(begun).toEqual([shop.key, other.key])
  finish()
  await until(async () => (await jobsOf('turns')).length === 0)
  await workers.stop()
})

test('a long job learns that another merchant waits, and goes on after it', async () => {
  const shops = [shop, await desk.openShop(), await desk.openShop()]
  const done: string[] = []
  const places = new Set<string>()
  const awaited: boolean[] = []
  let isEverybodyHere = false
  const workers = workersOf('long', async (job) => {
    places.add(job.merchantId)
    await until(() => isEverybodyHere)
    const isAwaited = await job.isAwaited()
    awaited.push(isAwaited)
    if (isAwaited) return job.rest(0)
    await desk.app.db.system((statements) => job.finish(statements))
    done.push(job.merchantId)
  })
  for (const { key } of shops) {
    await desk.app.db.write(key, (statements) =>
      enqueueJob(statements, { merchantId: key, kind: 'long', payload: {} }),
    )
    workers.wake()
    if (key !== shops[2]?.key) await until(() => places.has(key))
  }
  // Both places are taken by jobs that would not end before the third has been done.
  expect(places.size).toBe(2)
  isEverybodyHere = true
  await until(() => done.length === 3)
  expect(awaited[0]).toBe(true)
  // Alone at last, a job is not awaited, and comes to its end.
  expect(awaited.at(-1)).toBe(false)
  await workers.stop()
})

test('a lease that a call holds is renewed as the server’s own work, so that the caller’s other calls do not delay it', async () => {
  const clock = createTurnedClock({ runs: false })
  const askers: string[] = []
  const db: Database = {
    ...desk.app.db,
    clock,
    async systemQuery(text, values) {
      askers.push(askerNow())
      return desk.app.db.systemQuery(text, values)
    },
  }
  const table = { table: 'jobs', key: { job_id: 'text' }, due: 'due_at', idOf: (id: string) => [id] } as const
  await askedBy('person 1', async () =>
    whileHolding(db, { table, held: new Set(['a job']) }, async () => {
      clock.turn(2_000)
      await eventually(() => expect(askers).toHaveLength(1))
    }),
  )
  expect(askers).toEqual([ownWork])
})
