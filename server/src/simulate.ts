import { parseArgs } from 'node:util'
import { createClient, type Client } from '@cellarhand/client'
import { sendTo } from '@cellarhand/client/wire'
import { systemClock } from './platform/clock/system-clock.ts'
import { createSimulation, type Tally } from '../seed/simulation.ts'

const usage = `npm run simulate -- [--rate 30/min] [--minutes 10] [--url http://127.0.0.1:4400] [--merchant demo] [--seed n] [--pace 1]

A marketplace that sends believable orders to a running server, and goes on with each as in life: payment once the
shop has accepted, cancellations, parcels that arrive. --pace 10 makes what follows an order ten times as fast. It
signs itself with MARKETPLACE_CREDENTIAL (marketplace:marketplace, as in the demo, unless set). Ctrl-C ends it.`

class UsageError extends Error {}

interface Settings {
  readonly ordersPerMinute: number
  readonly minutes: number
  readonly url: URL
  readonly merchantKey: string
  readonly seed: number
  readonly pace: number
}

const minutesIn: Readonly<Record<string, number>> = { s: 1 / 60, sec: 1 / 60, min: 1, h: 60, hour: 60 }
const timezones: Readonly<Record<string, string>> = { other: 'America/Los_Angeles' }
const progressMs = { terminal: 500, file: 15_000 }

function readSettings(args: string[]): Settings | undefined {
  const text = { type: 'string' } as const
  const options = { rate: text, minutes: text, url: text, merchant: text, seed: text, pace: text }
  let values
  try {
    values = parseArgs({ args, options: { ...options, help: { type: 'boolean' } } }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  if (values.help === true) return undefined
  const positive = (name: string, value: string) => {
    const number = Number(value)
    if (!(number > 0)) throw new UsageError(`--${name} must be a number above 0, not "${value}".`)
    return number
  }
  const url = values.url ?? `http://127.0.0.1:${process.env['PORT'] || '4400'}`
  if (!URL.canParse(url)) throw new UsageError(`--url must be an address, not "${url}".`)
  return {
    ordersPerMinute: readRate(values.rate ?? '30/min'),
    minutes: positive('minutes', values.minutes ?? '10'),
    url: new URL(url),
    merchantKey: values.merchant ?? 'demo',
    seed:
      values.seed === undefined ? systemClock.nowMs() % 1_000_000 : Math.floor(positive('seed', values.seed)),
    pace: positive('pace', values.pace ?? '1'),
  }
}

function readRate(text: string): number {
  const [, amount, unit = 'min'] = /^(\d+(?:\.\d+)?)(?:\/(s|sec|min|h|hour))?$/.exec(text) ?? []
  const rate = Number(amount) / (minutesIn[unit] ?? 1)
  if (!(rate > 0)) throw new UsageError(`--rate must be such as 30/min, 2/s or 100/hour, not "${text}".`)
  return rate
}

/** Real HTTP. A request without a proper answer is repeated under the same key until there is one. */
function marketplaceAt(url: URL, signal: AbortSignal, say: (line: string) => void): Client {
  const send = sendTo(url, signal)
  let isAway = false
  return createClient({
    as: { basic: process.env['MARKETPLACE_CREDENTIAL'] || 'marketplace:marketplace' },
    async send(request) {
      const reply = await send(request)
      if (reply.status < 429) isAway = false
      return reply
    },
    signal,
    tries: Number.POSITIVE_INFINITY,
    onTrouble(reason) {
      if (!isAway) say(`${url.host}: ${reason}; trying again with the same keys`)
      isAway = true
    },
  })
}

/** Fixed lines, and one line below them that is rewritten again and again. */
function createScreen() {
  const isTerminal = process.stdout.isTTY === true
  let progress = ''
  const clear = () => (isTerminal && progress !== '' ? process.stdout.write('\r\u001b[K') : undefined)
  return {
    everyMs: isTerminal ? progressMs.terminal : progressMs.file,
    say(line: string) {
      clear()
      process.stdout.write(`${new Date(systemClock.nowMs()).toTimeString().slice(0, 8)}  ${line}\n`)
      if (isTerminal) process.stdout.write(progress)
    },
    show(text: string) {
      clear()
      progress = isTerminal ? text.slice(0, (process.stdout.columns ?? 80) - 1) : text
      process.stdout.write(isTerminal ? progress : `${text}\n`)
    },
    end() {
      clear()
      progress = ''
    },
  }
}

function progressOf(tally: Tally, endsAt: number): string {
  const left = Math.max(0, Math.round((endsAt - systemClock.nowMs()) / 1000))
  return `-- ${summaryOf(tally)} -- ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`
}

function summaryOf({ sent, refused, steps, open }: Tally): string {
  const counts = open()
  const of = (...statuses: (typeof counts extends Map<infer S, number> ? S : never)[]) =>
    statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
  return [
    `${sent} sent`,
    `${of('SUBMITTED')} waiting for the shop`,
    `${of('MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED', 'PAYMENT_DECLINED')} being paid`,
    `${of('PAYMENT_APPROVED')} paid`,
    `${of('MERCHANT_SHIPPED')} on the road`,
    `${steps.carrier_deliver ?? 0} parcels delivered`,
    `${steps.cancel ?? 0} cancelled`,
    ...(refused > 0 ? [`${refused} refused`] : []),
  ].join(', ')
}

async function run(settings: Settings): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const screen = createScreen()
  const endsAt = systemClock.nowMs() + settings.minutes * 60_000
  const timer = systemClock.after(settings.minutes * 60_000, stop)
  const simulation = createSimulation(
    {
      merchantKey: settings.merchantKey,
      timezone: timezones[settings.merchantKey] ?? 'America/New_York',
      ordersPerMinute: settings.ordersPerMinute,
      seed: settings.seed,
      pace: settings.pace,
      runName: `${settings.seed}-${systemClock.nowMs().toString(36)}`,
    },
    {
      marketplace: marketplaceAt(settings.url, stopping.signal, screen.say),
      say: screen.say,
      signal: stopping.signal,
    },
  )
  screen.say(
    `Sending about ${settings.ordersPerMinute} orders a minute to "${settings.merchantKey}" at ${settings.url.origin} (seed ${settings.seed})`,
  )
  const ticker = systemClock.every(screen.everyMs, () => screen.show(progressOf(simulation.tally, endsAt)))
  try {
    await simulation.run()
  } finally {
    ticker.stop()
    timer.stop()
    stop()
    screen.end()
    screen.say(`Ended: ${summaryOf(simulation.tally)}.`)
  }
}

try {
  const settings = readSettings(process.argv.slice(2))
  if (settings === undefined) process.stdout.write(`${usage}\n`)
  else await run(settings)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof UsageError) process.stderr.write(`\n${usage}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
