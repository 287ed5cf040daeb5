import { performance } from 'node:perf_hooks'
import { measure, quantile, type Measured } from './rig/load.ts'
import { say, sayMeasured } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

const atOnce = 50
const seconds = Number(process.argv[2] ?? '6')
const goalMs = 50
const basic = `Basic ${Buffer.from('dashboard:dashboard').toString('base64')}`
const password = 'cellarhand-demo'

/** One account each, because an e-mail has only ten unsuccessful tries. */
async function createAccounts(origin: string): Promise<string[]> {
  const emails = Array.from({ length: atOnce }, (_, index) => `bench-${index}@example.test`)
  const replies = await Promise.all(
    emails.map(async (email) =>
      fetch(`${origin}/a/v2/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: basic },
        body: JSON.stringify({ first_name: 'B', last_name: 'B', email, password, birthday: '1990-01-02' }),
      }),
    ),
  )
  if (replies.some(({ status }) => status !== 201)) throw new Error('The accounts could not be made')
  return emails
}

/** Signs in over and over with each account until stopped; returns how long each sign-in took. */
async function keepSigningIn(
  origin: string,
  emails: readonly string[],
  stop: AbortSignal,
): Promise<number[]> {
  const times: number[] = []
  await Promise.all(
    emails.map(async (email) => {
      while (!stop.aborted) {
        const sent = performance.now()
        if ((await signIn(origin, email)) === undefined) throw new Error('A sign-in failed')
        times.push(performance.now() - sent)
      }
    }),
  )
  return times.toSorted((one, other) => one - other)
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  try {
    const emails = await createAccounts(app.origin)
    const token = await signIn(app.origin, 'owner@demo.test')
    const firstPage = async (): Promise<Measured> =>
      measure({
        origin: app.origin,
        connections: 1,
        seconds,
        next: () => ({
          path: '/m/v2/merchant/demo/orders/optimized?limit=30&offset=0&filter[tab]=active',
          headers: { authorization: `Bearer ${token}` },
        }),
      })
    await firstPage()
    const alone = await firstPage()
    const stop = new AbortController()
    const signingIn = keepSigningIn(app.origin, emails, stop.signal)
    const beside = await firstPage()
    stop.abort()
    const times = await signingIn
    say(`The first page of the list, asked for by one client for ${seconds} s:`)
    sayMeasured('alone', alone, undefined)
    sayMeasured(`while ${atOnce} sign in`, beside, alone)
    say(
      `  ${(times.length / seconds).toFixed(0)} sign-ins/s, p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
    )
    say(`  p99 of the page beside ${atOnce} sign-ins: ${beside.p99.toFixed(1)} ms (goal: under ${goalMs} ms)`)
    process.exitCode = beside.p99 < goalMs && beside.failures === 0 ? 0 : 1
  } finally {
    await app.stop()
    await postgres.stop()
  }
}

await main()
