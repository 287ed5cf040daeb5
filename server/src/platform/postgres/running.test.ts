import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startThrowawayPostgres } from './embedded.ts'
import { findPostgres } from './running.ts'

test('a running server is found by its directory, but not after it has stopped', async () => {
  const server = await startThrowawayPostgres()
  const found = await findPostgres(server.dataDir)
  expect(found).toMatchObject({ host: server.host, port: server.port, user: server.user })
  await server.stop()
  expect(await findPostgres(server.dataDir)).toBe('none')
  await mkdir(server.dataDir, { recursive: true })
  await writeFile(join(server.dataDir, 'PG_VERSION'), '18\n')
  expect(await findPostgres(server.dataDir)).toBe('stopped')
  await rm(server.dataDir, { recursive: true })
})
