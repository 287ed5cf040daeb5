import { randomBytes } from 'node:crypto'
import type { Api, Whole } from '@cellarhand/contract/api'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order } from '@cellarhand/contract/orders'
import type { MerchantRole } from '@cellarhand/contract/permissions'
import type pg from 'pg'
import { pino } from 'pino'
import { buildApp, type App } from '../src/app.ts'
import { readConfig, type Config } from '../src/platform/config.ts'
import type { Upkeep } from '../src/platform/upkeep/upkeep.ts'
import { emailKey } from '../src/sign-in/public.ts'
import { upkeep } from '../src/upkeep.ts'
import type { Clock } from '../src/platform/clock/clock.ts'
import { cloneDatabase } from './database/cloned-database.ts'
import { letTimeTurn } from './database/turned-time.ts'
import { anOrder } from './orders.ts'
import { checkReply } from './reply-check.ts'
import { createTurnedClock, laterBy, passingBy, type TurnedClock } from './turned-clock.ts'

export const password = 'a-password-for-tests'
/** Its hash at the lowest cost, because the tests add and sign in thousands of people. */
const passwordHash =
  '$argon2id$v=19$m=8,t=1,p=1$ctj+Nq28Nocd/zpch8t4YA$qNa4UYuoxQQtXv6gUGGL3X1ongmmy9hI741Nmvj1mo8'
const basic = (credential: string) => `Basic ${Buffer.from(credential).toString('base64')}`
const ofDemo = { application: 'dashboard:dashboard', marketplace: 'marketplace:marketplace' }
export const applicationCredential = basic(ofDemo.application)
export const marketplaceCredential = basic(ofDemo.marketplace)
/** A server outside the demo, which takes none of the demo's secrets. */
export const liveSettings = {
  DEMO: '0',
  PUBLIC_URL: 'https://desk.example.com',
  APP_CREDENTIAL: 'dashboard:a-secret-of-these-tests',
  MARKETPLACE_CREDENTIAL: 'marketplace:another-secret-of-these-tests',
  SESSION_SECRET: 'a-third-secret-of-these-tests-which-is-long',
}
export const liveApplicationCredential = basic(liveSettings.APP_CREDENTIAL)
export const liveMarketplaceCredential = basic(liveSettings.MARKETPLACE_CREDENTIAL)

export interface Person {
  readonly id: string
  readonly email: string
  readonly token: string
}

export interface Shop {
  readonly key: string
  readonly owner: Person
  readonly manager: Person
  readonly member: Person
}

export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The reply as the contract types it; a refusal's message, code and errors. */
  readonly body: T
  readonly refusal: { message: string; code: string; errors: Record<string, string>; [more: string]: unknown }
}

interface RawRequest {
  /** A person's token, a whole Authorization header, or nobody. */
  as?: Person | string | undefined
  /** An object is sent as JSON, a string as it is. */
  body?: unknown
  headers?: Record<string, string>
}

interface Request<K extends keyof Api> extends RawRequest {
  params?: Api[K]['params']
  query?: Partial<Record<string, string | number | undefined>>
}

/** The calls of a desk, for a server in this process or another. */
export interface DeskCalls {
  /** The owner's own connection to its database. */
  readonly owner: pg.Pool
  /** One call of the contract; what comes back is held against the contract at once. */
  call<K extends keyof Api>(line: K, request?: Request<K>): Promise<Answer<Whole<Api[K]['reply']>>>
  /** Any request at all, also one that the contract does not know. */
  send(method: string, path: string, request?: RawRequest): Promise<Answer<unknown>>
  openShop(key?: string, timezone?: string): Promise<Shop>
  addPerson(merchantId: string | null, role: MerchantRole | undefined): Promise<Person>
  /** An order from the marketplace to the shop: the usual order, with the given changes. */
  order(shop: Shop, changes?: Partial<NewOrder>): Promise<Order>
  /** Many orders, five at a time: if all came at once, some would wait longer than the server allows. */
  orders(shop: Shop, count: number, changesOf?: (index: number) => Partial<NewOrder>): Promise<Order[]>
}

export interface Desk extends DeskCalls {
  readonly url: string
  readonly app: App
  readonly config: Config
  readonly upkeep: readonly Upkeep[]
  /** A second server process on the same database, with the given settings changed. */
  another(changes?: Record<string, string>): Promise<Desk>
  stop(): Promise<void>
}

/** A desk whose time a test turns forward: of its servers in this process and of its database. */
export interface TurnableDesk extends Desk {
  readonly clock: TurnedClock
  /** What falls due happens now. Work that is held by a lease loses it in seven seconds, unless its process renews it. */
  turn(ms: number): Promise<void>
  /** Lets the database's time stand still, so that no lease ends while a busy machine is slow. */
  standDatabase(isStanding: boolean): Promise<void>
  /** Repeats a check until it passes; a quarter of a second passes between two tries. */
  later<T>(check: () => T | Promise<T>): Promise<T>
  /** Lets time pass in the same way until the work has ended. */
  passing<T>(work: Promise<T>): Promise<T>
}

export async function openTurnableDesk(environment: Record<string, string> = {}): Promise<TurnableDesk> {
  const database = await cloneDatabase()
  const time = await letTimeTurn(database)
  const clock = createTurnedClock()
  const desk = await startServer(database, { clock, environment })
  const turn = async (ms: number) => {
    await time.turn(ms)
    clock.turn(ms)
  }
  return {
    ...desk,
    clock,
    turn,
    standDatabase: time.stand,
    later: (check) => laterBy(turn, check),
    passing: (work) => passingBy(turn, work),
    async stop() {
      await desk.stop()
      await database.drop()
    },
  }
}

/** The whole server on its own database, reached over HTTP. */
export async function openDesk(environment: Record<string, string> = {}): Promise<Desk> {
  const database = await cloneDatabase()
  const desk = await startServer(database, { clock: createTurnedClock(), environment })
  return {
    ...desk,
    async stop() {
      await desk.stop()
      await database.drop()
    },
  }
}

type Cloned = Awaited<ReturnType<typeof cloneDatabase>>

interface ServerStart {
  readonly clock: Clock
  readonly environment: Record<string, string>
}

async function startServer(database: Cloned, { clock, environment }: ServerStart): Promise<Desk> {
  const config = readConfig({ DEMO: '1', PORT: '0', DATA_DIR: database.dataDir, ...environment })
  const app = await buildApp({
    clock,
    config,
    database: database.address,
    log: pino({ level: environment['LOG_LEVEL'] ?? 'silent' }),
  })
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const companions: Desk[] = []
  let stopped: Promise<void> | undefined
  return {
    ...deskCalls(database.owner, () => url, {
      application: config.applicationCredential,
      marketplace: config.marketplaceCredential,
    }),
    url,
    app,
    config,
    upkeep,
    async another(changes) {
      const companion = await startServer(database, { clock, environment: { ...environment, ...changes } })
      companions.push(companion)
      return companion
    },
    stop: async () => (stopped ??= stopAll(companions, app)),
  }
}

/** `urlOf` is asked for each call: a server that was started again has another port. */
export function deskCalls(owner: pg.Pool, urlOf: () => string, credentials = ofDemo): DeskCalls {
  async function call<K extends keyof Api>(
    line: K,
    request: Request<K> = {},
  ): Promise<Answer<Whole<Api[K]['reply']>>> {
    const [method = 'GET', path = ''] = line.split(' ')
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String((request.params as Record<string, unknown>)[name])),
    )
    const target = new URL(filled, urlOf())
    for (const [name, value] of Object.entries(request.query ?? {}))
      if (value !== undefined) target.searchParams.set(name, String(value))
    const answer = await send<Whole<Api[K]['reply']>>(target, method, request)
    checkReply(line, answer)
    return answer
  }

  async function addPerson(merchantId: string | null, role: MerchantRole | undefined): Promise<Person> {
    const id = `u-${randomBytes(6).toString('hex')}`
    const email = `${id}@example.com`
    await owner.query(
      'insert into users (user_id, merchant_id, email, email_key, first_name, last_name, password_hash, roles) values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [
        id,
        merchantId,
        email,
        emailKey(email),
        role?.replace('merch.', '') ?? 'nobody',
        id.slice(2, 6),
        passwordHash,
        role === undefined ? [] : [role],
      ],
    )
    const { body } = await call('POST /a/v2/sessions', {
      as: basic(credentials.application),
      body: { email, password },
    })
    return { id, email, token: body.token }
  }

  async function openShop(
    key = `shop-${randomBytes(4).toString('hex')}`,
    timezone = 'America/New_York',
  ): Promise<Shop> {
    await owner.query(
      `insert into merchants (merchant_id, name, email, primary_phone, address, contacts, timezone, merchant_account_id, payment_set_up)
       values ($1, $2, 'shop@example.com', '+12125550123', $3, $4, $5, 'acct_1', true)`,
      [
        key,
        `Shop ${key}`,
        JSON.stringify({
          street_1: '1 Pier',
          street_2: null,
          street_3: null,
          city: 'New York',
          state: 'NY',
          zipcode: '10001',
        }),
        JSON.stringify({
          primary_contact_name: null,
          secondary_contact_name: null,
          secondary_email: null,
          secondary_phone_number: null,
        }),
        timezone,
      ],
    )
    return {
      key,
      owner: await addPerson(key, 'merch.owner'),
      manager: await addPerson(key, 'merch.manager'),
      member: await addPerson(key, 'merch.user'),
    }
  }

  async function order(shop: Shop, changes?: Partial<NewOrder>): Promise<Order> {
    const answer = await call('POST /marketplace/v1/orders', {
      as: basic(credentials.marketplace),
      body: anOrder(shop.key, changes),
    })
    if (answer.status !== 201) throw new Error(`The order was refused: ${answer.text}`)
    return answer.body
  }

  return {
    owner,
    call,
    send: (method, path, request = {}) => send(new URL(path, urlOf()), method, request),
    openShop,
    addPerson,
    order,
    orders: async (shop, count, changesOf) =>
      fiveByFive(count, async (index) => order(shop, changesOf?.(index))),
  }
}

async function fiveByFive<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) {
    const length = Math.min(5, count - made.length)
    made.push(...(await Promise.all(Array.from({ length }, async (_, ahead) => make(made.length + ahead)))))
  }
  return made
}

async function stopAll(companions: readonly Desk[], app: App): Promise<void> {
  for (const companion of companions) await companion.stop()
  await app.close()
}

async function send<T>(target: URL, method: string, { as, body, headers }: RawRequest): Promise<Answer<T>> {
  const response = await fetch(target, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(as === undefined ? {} : { authorization: typeof as === 'string' ? as : `Bearer ${as.token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
  const parsed = (isJson ? JSON.parse(text) : undefined) as never
  return { status: response.status, headers: response.headers, text, body: parsed as T, refusal: parsed }
}
