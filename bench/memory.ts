import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { anOrder } from '../server/test/orders.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

// The server's memory at rest and under a shop's steady use, and what each of its larger parts takes when it is loaded.
const minutesAt = process.argv.indexOf('--minutes')
const minutes = minutesAt < 0 ? 20 : Number(process.argv[minutesAt + 1])
const perSecond = 30
const restMs = 10_000
const everyMs = 30_000
/** As npm start: the translator of TypeScript takes memory too. */
const compiled = new URL('../node_modules/.cache/compiled', import.meta.url).pathname
const goals = { idle: 150, busy: 300 }

/** The parts whose share is told, each loaded alone in a process of its own. */
const parts: Readonly<Record<string, string>> = {
  'Node alone': '0',
  'the application, without work': `await import('./server/src/app.ts')`,
  'PDF with its fonts and barcodes (in a process of its own, from the first paper on)': `await import('./server/src/platform/pdf/sheet.ts'); const { typefaceFor } = await import('./server/src/platform/pdf/typefaces.ts'); for (const text of ['a', 'א', 'ع', '山', '😀', '한']) for (const weight of ['regular', 'bold']) typefaceFor([text.codePointAt(0)], weight)`,
  'merging of labels': `await import('@cantoo/pdf-lib')`,
  'error reporter (with SENTRY_DSN)': `await Promise.all([import('@sentry/core'), import('@sentry/core/server')])`,
  Stripe: `await import('stripe')`,
  Prismic: `await import('@prismicio/client')`,
  mail: `await import('nodemailer')`,
}

function shareOf(program: string): number {
  const ask = `${program}; globalThis.gc(); console.log(process.memoryUsage().rss / 2 ** 20)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', ask], {
    encoding: 'utf8',
    cwd: new URL('../server', import.meta.url).pathname,
    env: { ...process.env },
  })
  if (stdout === '') throw new Error(stderr)
  return Number(stdout)
}

function sayShares(): void {
  const alone = shareOf(parts['Node alone'] ?? '0')
  say('What a part takes when it is loaded alone:')
  for (const [name, program] of Object.entries(parts)) {
    const total = shareOf(program.replaceAll('./server/', './'))
    say(`  ${(name === 'Node alone' ? total : total - alone).toFixed(0).padStart(5)} MB  ${name}`)
  }
}

async function main(): Promise<void> {
  sayShares()
  const { postgres, url } = await startPostgres()
  const start = () =>
    startProcess(
      'server/src/main.ts',
      { DATABASE_URL: url, DEMO: '1', NODE_COMPILE_CACHE: compiled },
      '/readyz',
    )
  // The first start fills the demo, which no shop has.
  await (await start()).stop()
  const app = await start()
  try {
    await sleep(restMs)
    const idle = residentOf(app.process.pid)
    say(`At rest: ${idle.toFixed(0)} MB (goal ${goals.idle}: ${idle <= goals.idle ? 'met' : 'NOT MET'})`)
    say(await detailsOf(app.origin))
    const most = await useFor(app.origin, () => residentOf(app.process.pid))
    say(
      `In use: ${most.toFixed(0)} MB at most (goal ${goals.busy}: ${most <= goals.busy ? 'met' : 'NOT MET'})`,
    )
    say(await detailsOf(app.origin))
  } finally {
    await app.stop()
    await postgres.stop()
  }
}

async function useFor(origin: string, look: () => number): Promise<number> {
  const token = await signIn(origin, 'owner@demo.test')
  const requests = await shopsRequests(origin, token)
  const began = performance.now()
  let most = 0
  let told = began
  let failures = 0
  const under = new Set<Promise<void>>()
  for (let sent = 0; performance.now() - began < minutes * 60_000; sent++) {
    const one = requests(sent)
      .then(async (reply) => {
        await reply.arrayBuffer()
        if (reply.status >= 400) failures++
      })
      .finally(() => under.delete(one))
    under.add(one)
    await sleep(Math.max(0, began + ((sent + 1) * 1000) / perSecond - performance.now()))
    most = Math.max(most, sent % perSecond === 0 ? look() : 0)
    if (performance.now() - told < everyMs) continue
    told += everyMs
    say(`  after ${((told - began) / 60_000).toFixed(1)} min: ${look().toFixed(0)} MB`)
  }
  await Promise.all(under)
  if (failures > 0) say(`  ${failures} requests FAILED`)
  return most
}

/** Mostly lists, as a desk that is used, with orders, searches, a paper and a new order each second. */
async function shopsRequests(origin: string, token: string): Promise<(place: number) => Promise<Response>> {
  const authorization = `Bearer ${token}`
  const ask = (path: string) => fetch(`${origin}${path}`, { headers: { authorization } })
  const list = (await (await ask('/m/v2/merchant/demo/orders/optimized?limit=100')).json()) as {
    items: { id: string }[]
  }
  const ids = list.items.map(({ id }) => id)
  const idAt = (place: number) => ids[(place * 7) % ids.length] ?? ''
  return (place) => {
    switch (place % perSecond) {
      case 0:
        return fetch(`${origin}/marketplace/v1/orders`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}`,
          },
          body: JSON.stringify(anOrder('demo')),
        })
      case 1:
        return ask(`/m/v2/merchant/demo/orders/${idAt(place)}/reports/packingslip`)
      case 2:
      case 3:
        return ask(
          `/m/v2/merchant/demo/orders/optimize?filter[recipient_name]=${String.fromCharCode(97 + (place % 26))}e`,
        )
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
      case 9:
        return ask(`/m/v2/orders/${idAt(place)}`)
      default:
        return ask(`/m/v2/merchant/demo/orders/optimized?limit=50&offset=${(place * 13) % 200}`)
    }
  }
}

/** Megabytes of the process and those that it has started; what they share counts once. */
function residentOf(pid: number | undefined): number {
  const family = [Number(pid)]
  // Grows while it is walked: children of children follow.
  for (const member of family)
    family.push(
      ...readFileSync(`/proc/${member}/task/${member}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    )
  const ofOne = (member: number) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${member}/smaps_rollup`, 'utf8'))?.[1])
  return family.reduce((sum, member) => sum + ofOne(member), 0) / 1024
}

async function detailsOf(origin: string): Promise<string> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 2 ** 20
  const names = [
    'nodejs_heap_size_used_bytes',
    'nodejs_heap_size_total_bytes',
    'nodejs_external_memory_bytes',
  ]
  const [used = 0, total = 0, external = 0] = names.map(figure)
  return `  heap ${used.toFixed(0)} of ${total.toFixed(0)} MB, buffers ${external.toFixed(0)} MB`
}

await main()
