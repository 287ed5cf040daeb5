import { expect, test } from 'vitest'
import { startThrowawayPostgres } from './embedded.ts'
import { findRunningPostgres } from './running.ts'

test('a running server is found by its directory, but not after it has stopped', async () => {
  const server = await startThrowawayPostgres()
  const found = await findRunningPostgres(server.dataDir)
  expect(found).toMatchObject({ host: server.host, port: server.port, user: server.user })
  await server.stop()
  expect(await findRunningPostgres(server.dataDir)).toBeUndefined()
})
