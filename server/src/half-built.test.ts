import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../test/database/cloned-database.ts'
import { eventually } from '../test/eventually.ts'
import { buildApp } from './app.ts'
import { readConfig } from './platform/config.ts'
import { systemClock } from './platform/clock/system-clock.ts'

test('work that speaks with this server itself waits until every route is there', async () => {
  const database = await cloneDatabase()
  const webRoot = await mkdtemp(join(tmpdir(), 'half-built-'))
  // The page comes through a pipe, so the start waits in the middle of its routes.
  const page = join(webRoot, 'index.html')
  await promisify(execFile)('mkfifo', [page])
  await database.owner.query(
    `insert into sandbox_parcels (shipment, carrier, label, state, tracking_code, bought_at)
     values ('shp_early', 'UPS', '{}', 'bought', '1Z999AA10123456784', now() - interval '1 hour')`,
  )
  const config = {
    ...readConfig({ DEMO: '1', PORT: '0', DATA_DIR: database.dataDir, SANDBOX_STEP_SECONDS: '1' }),
    webRoot,
  }
  const building = buildApp({
    clock: systemClock,
    config,
    database: database.address,
    log: pino({ level: 'silent' }),
  })
  try {
    await eventually(async () => {
      const { rows } = await database.owner.query<{ steps_reported: number }>(
        'select steps_reported from sandbox_parcels',
      )
      expect(rows[0]?.steps_reported).toBeGreaterThan(0)
    })
  } finally {
    await writeFile(page, '<meta name="cellarhand-config" content="{}">')
  }
  const app = await building
  const { statusCode } = await app.http.inject('/healthz')
  expect(statusCode).toBe(200)
  await app.close()
  await database.drop()
  await rm(webRoot, { recursive: true })
})
