import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { readOnly } from './database-errors.ts'

class GreetedClient extends pg.Client {
  /** As PostgreSQL says in its greeting, from version 14 on. */
  isOfStandby = false

  constructor(settings?: pg.ClientConfig) {
    super(settings)
    const { connection } = this as unknown as { connection: EventEmitter }
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.isOfStandby = parameterValue === 'on'
    })
  }
}

/**
 * After a fail-over an address may lead to the former primary for some seconds. That one follows the new primary, and
 * its answers are as old as it is behind: a session that has ended still holds, and a row just written is not there.
 */
export const primaryOnly: Pick<pg.PoolConfig, 'Client' | 'verify'> = {
  Client: GreetedClient,
  verify: (client, done) =>
    done(
      client instanceof GreetedClient && client.isOfStandby
        ? Object.assign(
            new Error('A standby answers at the address of the database, which must lead to the primary'),
            { code: readOnly },
          )
        : undefined,
    ),
}
