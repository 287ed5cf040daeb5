import { createClient } from '@cellarhand/client'
import { CallFailed } from '@cellarhand/client/call-failed'
import type { WireRequest } from '@cellarhand/client/wire'
import type { Logger } from 'pino'
import type { Order } from '@cellarhand/contract/orders'
import { importInventory } from '#inventory/public.ts'
import { createMerchant, setOnboarded } from '#merchants/public.ts'
import { createUser, emailKey } from '#sign-in/public.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { App } from '../src/app.ts'
import { basic, CallRefused, callsOver, type MakeCall } from './calls.ts'
import { demoMerchants, demoPassword, demoStaff } from './demo-people.ts'
import { demoDecisions } from './demo-rules.ts'
import { generateOrder } from './order-generator.ts'
import { lives, takeStep } from './order-life.ts'
import { planOrders, type PlannedOrder } from './order-plan.ts'
import { setStepTimes } from './step-times.ts'
import { sideBySide } from './side-by-side.ts'
import { stockFile } from './stock-list.ts'

export interface SeedDeps {
  readonly app: App
  readonly config: Pick<Config, 'applicationCredential' | 'marketplaceCredential'>
  readonly log: Logger
  readonly say: (line: string) => void
}

const ordersAtOnce = 8
const keepAliveMs = 5_000

/**
 * Makes the demo once, through the product's own commands and calls. If a start breaks off, the next start continues:
 * every step is either done already or repeats its Idempotency-Key. An unfinished demo does not keep the server from
 * starting. Returns whether this database holds the demo.
 */
export async function seedDemo(deps: SeedDeps): Promise<boolean> {
  const { app, log, say } = deps
  const { level } = log
  let isThere = false
  try {
    await alone(app.db, async () => {
      const state = await beginOnce(app.db)
      isThere = state !== 'none'
      if (state === 'none' || state === 'made') return
      say('Making the demo (once)…')
      // One line for each of its calls would bury the other lines.
      log.level = 'warn'
      await createPeople(app.db)
      for (const { key } of demoMerchants)
        await importInventory(app.db, { merchantKey: key, csv: stockFile(key) })
      await createOrders(deps, state)
      await setStepTimes(app.db, state)
      // Orders from before anybody could hear them do not ring.
      await app.db.systemQuery(
        "update order_alarms set ended_at = now(), ended_by = 'Cellarhand' where ended_at is null",
      )
      await app.db.systemQuery('update demo_state set finished_at = now()')
    })
  } catch (error) {
    log.level = level
    log.error({ err: error }, 'the demo is not complete')
    say('The demo could not be completed. The next start goes on with it; an empty DATA_DIR begins it anew.')
  } finally {
    log.level = level
  }
  return isThere
}

/** When several processes start on one database, one makes the demo and the others wait. */
async function alone(db: Database, work: () => Promise<void>): Promise<void> {
  await db.system(async ({ query }) => {
    await query("select pg_advisory_xact_lock(hashtext('cellarhand_demo'))")
    // The lock lives as long as its transaction, and PostgreSQL ends an idle one.
    const timer = setInterval(() => void query('select 1').catch(() => undefined), keepAliveMs)
    try {
      await work()
    } finally {
      clearInterval(timer)
    }
  })
}

/** The moment from which the demo's dates are counted; 'none' if the database holds real merchants. */
async function beginOnce(db: Database): Promise<Date | 'made' | 'none'> {
  await db.systemQuery(
    `insert into demo_state (only_row) select true where not exists (select from merchants)
     on conflict (only_row) do nothing`,
  )
  const [state] = await db.systemQuery<{ begun_at: Date; finished_at: Date | null }>(
    'select begun_at, finished_at from demo_state',
  )
  if (state === undefined) return 'none'
  return state.finished_at === null ? state.begun_at : 'made'
}

async function createPeople(db: Database): Promise<void> {
  for (const merchant of demoMerchants) {
    const known = await db.systemQuery('select 1 from merchants where merchant_id = $1', [merchant.key])
    if (known.length === 0) await createMerchant(db, merchant)
    const onboarded = { merchantKey: merchant.key, isOnboarded: true }
    await db.system((statements) => setOnboarded(statements, onboarded))
  }
  for (const user of demoStaff) {
    const known = await db.systemQuery('select 1 from users where email_key = $1', [emailKey(user.email)])
    if (known.length === 0) await createUser(db, user)
  }
}

async function createOrders({ app, say, config }: SeedDeps, now: Date): Promise<void> {
  const send = async ({ method, path, headers, body }: WireRequest) => {
    const reply = await app.http.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    const header = (name: string) => reply.headers[name]?.toString()
    return { status: reply.statusCode, text: reply.body, header }
  }
  const call = callsOver(send)
  const marketplace = createClient({ send, as: { basic: config.marketplaceCredential }, tries: 1 })
  const clerks = await signInClerks(call, basic(config.applicationCredential))
  await connectCarriers(call, clerks)
  await decideRules(call, clerks.get('demo')?.[0] ?? '')
  const planned = demoMerchants
    .flatMap((shop) => planOrders(shop, now))
    .toSorted((a, b) => a.wish.submittedAt.getTime() - b.wish.submittedAt.getTime())

  const created = new Map<PlannedOrder, Order>()
  await sideBySide(planned, ordersAtOnce, async (plan) => {
    const key = plan.wish.reference
    const order = generateOrder(plan.random, plan.wish)
    created.set(plan, await marketplace.createOrder({ idempotencyKey: key, body: order }))
  })
  say(`  ${planned.length} orders have come in`)
  await sideBySide(planned, ordersAtOnce, async (plan) => {
    let order = created.get(plan)
    const { merchantKey, reference } = plan.wish
    for (const [index, step] of lives[plan.life].entries()) {
      if (order === undefined) return
      const clerk = { call, as: plan.random.pick(clerks.get(merchantKey) ?? []) }
      const deps = { marketplace, clerk, merchantKey, random: plan.random, now }
      order = await stepOrStay(takeStep(deps, step, { order, key: `${reference}-${index}-${step}` }))
    }
  })
  say('  and each has gone its way')
}

/** An order that somebody changed in a half-made demo stays as it is. */
async function stepOrStay(step: Promise<Order>): Promise<Order | undefined> {
  try {
    return await step
  } catch (error) {
    if ((error instanceof CallRefused || error instanceof CallFailed) && error.status === 409)
      return undefined
    throw error
  }
}

/** Each shop gets an account with a carrier; the owner comes first among the clerks. */
async function connectCarriers(call: MakeCall, clerks: Map<string, string[]>): Promise<void> {
  for (const { key, address } of demoMerchants) {
    await call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
      as: clerks.get(key)?.[0] ?? '',
      params: { tmk: key },
      body: {
        carrier: key === 'demo' ? 'FedEx' : 'UPS',
        account_number: '510087431',
        account_zip: address.zipcode,
        label_size: '4x6',
        label_format: 'PDF',
      },
    })
  }
}

/** Before the orders come in, so that each carries its answer from the start. */
async function decideRules(call: MakeCall, owner: string): Promise<void> {
  for (const [rule, body] of Object.entries(demoDecisions))
    await call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
      as: owner,
      params: { tmk: 'demo', rule },
      key: `demo-rule-${rule}`,
      body,
    })
}

async function signInClerks(call: MakeCall, application: string): Promise<Map<string, string[]>> {
  const staff = [
    ...demoMerchants.map(({ key, owner }) => ({ merchantKey: key, email: owner.email })),
    ...demoStaff.filter(({ merchantKey }) => merchantKey !== undefined),
  ]
  const clerks = new Map<string, string[]>()
  for (const { merchantKey = '', email } of staff) {
    const { token } = await call('POST /a/v2/sessions', {
      as: application,
      body: { email, password: demoPassword },
    })
    clerks.set(merchantKey, [...(clerks.get(merchantKey) ?? []), `Bearer ${token}`])
  }
  return clerks
}
