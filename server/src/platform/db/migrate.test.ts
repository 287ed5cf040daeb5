import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/cloned-database.ts'
import { migrate } from './migrate.ts'

test('a migration whose database is stopped beneath it fails, and ends nothing but itself', async () => {
  const { address, owner, drop } = await cloneDatabase()
  const client = await owner.connect()
  // Whoever migrates first holds this table, and everybody else waits for it.
  await client.query('begin')
  await client.query('lock table kysely_migration in access exclusive mode')
  const outcome = migrate(address).then(
    () => 'migrated',
    (error: unknown) => String(error),
  )
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await owner.query(waiting)).rowCount === 0) await sleep(20)
  await owner.query(`select pg_terminate_backend(pid) from (${waiting}) waiting`)
  expect(await outcome).toContain('nothing was changed')
  await client.query('rollback')
  client.release()
  await drop()
})
