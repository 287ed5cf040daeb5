import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startApart } from './rig/apart.ts'
import { measure, quantile, type Measured } from './rig/load.ts'
import { say, sayMeasured } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'
import { floods, from, password, trySignIn, type Answered, type Flood } from './rig/strangers.ts'

const atOnce = 50
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { flood: { type: 'string', default: 'sign-in' } },
})
const seconds = Number(positionals[0] ?? '6')
const flood = floodOf(values.flood)

function floodOf(given: string): Flood {
  const found = floods.find((name) => name === given)
  if (found === undefined) throw new Error(`--flood is one of ${floods.join(', ')}`)
  return found
}
const goalMs = 50
const strangers = 500
/** Of one member, who has 200 calls under way at most. */
const saves = 190
const clerkTries = 15
const clerkGoalMs = 2_000

/**
 * A clerk signs in once a second, from the shop or from a new network, while strangers of one network keep trying to sign
 * in, or make another call (`--flood`).
 */
async function measureClerk(origin: string, what: Flood): Promise<boolean> {
  const shop = '198.51.100.7'
  await trySignIn(origin, shop, 'member@demo.test')
  const calm = await clerk(origin, () => shop)
  const crowd = startApart(new URL('./rig/strangers.ts', import.meta.url), {
    origin,
    network: '203.0.113.1',
    flood: what,
    ...(what === 'profile'
      ? { strangers: saves, member: await memberOf(origin, 'owner@demo.test') }
      : { strangers }),
  })
  const atShop = await clerk(origin, () => shop)
  const away = await clerk(origin, (index) => `198.18.0.${index}`)
  const said = await crowd.stop()
  const crowdOf =
    what === 'profile' ? `${saves} saves of one person` : `${strangers} strangers of one network`
  say(`A clerk signs in ${clerkTries} times, ${crowdOf} keep trying (${what}):`)
  sayClerk('calm', calm)
  sayClerk('from the shop', atShop)
  sayClerk('from new networks', away)
  say(`  the strangers were answered ${said}`)
  const isGood = [...atShop, ...away].every(({ status, ms }) => status === 201 && ms <= clerkGoalMs)
  say(`  goal: each within ${clerkGoalMs} ms: ${isGood ? 'met' : 'not met'}`)
  return isGood
}

async function memberOf(origin: string, email: string) {
  const reply = await fetch(`${origin}/a/v2/sessions`, {
    method: 'POST',
    headers: from('192.0.2.250'),
    body: JSON.stringify({ email, password }),
  })
  const { token, user } = (await reply.json()) as { token: string; user: { id: string } }
  return { token, id: user.id }
}

async function clerk(origin: string, networkOf: (index: number) => string): Promise<Answered[]> {
  const tries: Answered[] = []
  for (let index = 0; index < clerkTries; index++) {
    tries.push(await trySignIn(origin, networkOf(index), 'member@demo.test'))
    await sleep(Math.max(0, 1_000 - (tries.at(-1)?.ms ?? 0)))
  }
  return tries
}

function sayClerk(when: string, tries: readonly Answered[]): void {
  const times = tries.map(({ ms }) => ms).toSorted((one, other) => one - other)
  const signedIn = tries.filter(({ status }) => status === 201).length
  say(
    `  ${when.padEnd(18)} ${signedIn} of ${tries.length} signed in, p50 ${quantile(times, 0.5).toFixed(0)} ms, longest ${quantile(times, 1).toFixed(0)} ms`,
  )
}

/** One account each, because an e-mail has only ten unsuccessful tries. */
async function createAccounts(origin: string): Promise<string[]> {
  const emails = Array.from({ length: atOnce }, (_, index) => `bench-${index}@example.test`)
  const replies = await Promise.all(
    emails.map(async (email, index) =>
      fetch(`${origin}/a/v2/users`, {
        method: 'POST',
        // A network may make forty a day.
        headers: from(`192.0.2.${index}`),
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
  const app = await startProcess(
    'server/src/main.ts',
    { DATABASE_URL: url, DEMO: '1', TRUST_PROXY: '1' },
    '/readyz',
  )
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
    const isClerkIn = await measureClerk(app.origin, flood)
    process.exitCode = beside.p99 < goalMs && beside.failures === 0 && isClerkIn ? 0 : 1
  } finally {
    await app.stop()
    await postgres.stop()
  }
}

await main()
