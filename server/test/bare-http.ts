import { pino } from 'pino'
import { systemClock } from '../src/platform/clock/system-clock.ts'
import { createHttp, type Http, type HttpOptions } from '../src/platform/http/server.ts'

/** The server's HTTP without an app behind it: a test serves the calls that it needs. Nobody is signed in. */
export function createBareHttp(options: Partial<HttpOptions> = {}): Http {
  return createHttp({
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    trustProxy: [],
    productName: 'Thirstie',
    authenticate: async () => undefined,
    applicationCredential: 'a:b',
    marketplaceCredential: 'c:d',
    ...options,
  })
}
