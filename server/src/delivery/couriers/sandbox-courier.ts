import { createHmac } from 'node:crypto'
import { maybe, text } from '@cellarhand/contract/fields'
import { Type } from 'typebox'
import type { Database } from '#platform/db/database.ts'
import { createBodyReader } from '#platform/http/callback-body.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { sameSecret } from '#platform/same-secret.ts'
import { courierPlanAt, type CourierPlan } from './courier-sentinels.ts'
import {
  CourierRefused,
  type CourierJob,
  type CourierKey,
  type CourierNews,
  type CourierService,
  type CourierStage,
} from './courier.ts'

const name = 'Sandbox Courier'
const readEvent = createBodyReader(Type.Object({ delivery_id: maybe(text(64)) }))
const tickMs = 500

/** The imaginary recipients' signature. */
const scribble = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAgAQAAAADFu0D5AAAAmElEQVR42r3QMQoDIRAFUG+QlKniRZadm2UIadJ5gYBnSWW5h7CwFhsXBn8clyx7gBC7B//DHw0Oz/wb9TQgpMhhoFqIRYwD2aE6pDxQgmZChe+ICSXCyY06UtSMbxMbwVI0Y3tDsWKRRkgd7FctsC5o7EULY04jErY4b9tmakx4bLhym/m7+sWYdjyBy37PG7gfj0u/+qoPJVdeKQ6xzfEAAAAASUVORK5CYII=',
  'base64',
)

/** How long a courier stays at each stage, in seconds of the sandbox's clock. */
const road: Readonly<Record<string, { readonly next: CourierStage; readonly seconds: number }>> = {
  requested: { next: 'assigned', seconds: 8 },
  assigned: { next: 'picked_up', seconds: 25 },
  picked_up: { next: 'delivered', seconds: 40 },
}
const detours: Partial<Record<CourierPlan, Readonly<Record<string, CourierStage>>>> = {
  never_found: { requested: 'failed' },
  courier_cancels: { assigned: 'cancelled' },
  nobody_home: { picked_up: 'failed' },
}
const reasons: Partial<Record<CourierPlan, string>> = {
  never_found: 'No courier was found',
  courier_cancels: 'The courier cancelled',
  nobody_home: 'The courier found nobody there and brought it back',
}
const refusals: Partial<Record<CourierPlan, string>> = {
  too_far: 'This address is too far away for a courier.',
  not_covered: 'No courier serves this address.',
  closed: 'Couriers do not deliver at this hour.',
  busy: 'All couriers are busy right now. Please try again in a few minutes.',
}

interface Row {
  readonly delivery_id: string
  readonly stage: CourierStage
  readonly plan: CourierPlan
  readonly picked_up_at: Date | null
  readonly created_at: Date
}

export interface SandboxCourier extends CourierService {
  stop(): Promise<void>
}

export interface SandboxDeps {
  readonly db: Database
  readonly secret: string
  /** How many times faster than life. */
  readonly pace: number
  /** Sends a signed callback to our own endpoint, as the real service does over the network. */
  readonly callBack: (headers: Record<string, string>, body: string) => Promise<void>
  readonly onError: (error: unknown) => void
  /** The base of the pages on which people follow a courier. */
  readonly trackingBase: string
}

/** Imaginary couriers: they take orders, move by a clock, fail at certain addresses, and call back. */
export function startSandboxCourier(deps: SandboxDeps): SandboxCourier {
  const { db, secret, pace, callBack, onError } = deps
  const sign = (body: string) => createHmac('sha256', secret).update(body).digest('hex')

  async function tick(): Promise<void> {
    for (const deliveryId of await advance(db, pace)) {
      const body = JSON.stringify({ event: 'delivery.changed', delivery_id: deliveryId })
      await callBack({ 'x-sandbox-signature': sign(body) }, body)
    }
  }
  const clock = startWorker({ clock: db.clock, work: tick, everyMs: tickMs, onError })

  async function find({ deliveryId }: Pick<CourierKey, 'deliveryId'>): Promise<Row | undefined> {
    const [row] = await db.systemQuery<Row>(
      'select delivery_id, stage, plan, picked_up_at, created_at from sandbox_couriers where delivery_id = $1',
      [deliveryId],
    )
    return row
  }

  return {
    name,
    slug: 'sandbox',
    alwaysTellsIdCheck: false,
    async request(job: CourierJob) {
      const plan = courierPlanAt(job.dropoff.street[0])
      const refusal = refusals[plan]
      if (refusal !== undefined) throw new CourierRefused(refusal)
      if (plan === 'broken') throw new ProviderError({ provider: name, kind: 'refused_connection' })
      if (plan !== 'request_lost') await take(db, { job, plan, pace })
      if (plan === 'request_lost' || plan === 'answer_lost')
        throw new ProviderError({ provider: name, kind: 'no_answer' })
      const row = await find(job)
      if (row === undefined) throw new Error('The sandbox forgot a delivery')
      return newsOf(row, deps)
    },
    async look(key) {
      const row = await find(key)
      return row === undefined ? undefined : newsOf(row, deps)
    },
    async cancel(key) {
      const [row] = await db.systemQuery<Row>(
        `update sandbox_couriers set stage = 'cancelled', next_at = null
         where delivery_id = $1 and stage in ('requested', 'assigned', 'cancelled')
         returning delivery_id, stage, plan, picked_up_at, created_at`,
        [key.deliveryId],
      )
      if (row === undefined)
        throw new CourierRefused('The courier has picked up already, so it is too late to cancel.')
      return newsOf(row, deps)
    },
    async proof(key) {
      const row = await find(key)
      return row?.stage === 'delivered'
        ? {
            signedBy: 'A recipient of the sandbox',
            ...(row.plan !== 'silent_check' && { isIdChecked: true }),
            signature: scribble,
          }
        : {}
    },
    readCallback({ headers, rawBody, body }) {
      if (!sameSecret(String(headers['x-sandbox-signature'] ?? ''), sign(rawBody))) return undefined
      const { delivery_id } = readEvent(body)
      return delivery_id == null ? [] : [delivery_id]
    },
    stop: () => clock.stop(),
  }
}

async function take(
  db: Database,
  { job, plan, pace }: { job: CourierJob; plan: CourierPlan; pace: number },
): Promise<void> {
  await db.systemQuery(
    `insert into sandbox_couriers (delivery_id, stage, plan, next_at, packages)
     values ($1, 'requested', $2, now() + make_interval(secs => $3::float8), $4) on conflict (delivery_id) do nothing`,
    [job.deliveryId, plan, secondsAt('requested') / pace, job.packages],
  )
}

function secondsAt(stage: string): number {
  return road[stage]?.seconds ?? 0
}

function newsOf(
  { delivery_id, stage, plan, created_at }: Row,
  { pace, trackingBase }: Pick<SandboxDeps, 'pace' | 'trackingBase'>,
): CourierNews {
  const after = (seconds: number) => new Date(created_at.getTime() + (seconds * 1000) / pace).toISOString()
  const toPickup = secondsAt('requested') + secondsAt('assigned')
  const isAssigned = stage !== 'requested'
  return {
    stage,
    serviceId: `sbx_${delivery_id}`,
    trackingUrl: isAssigned ? `${trackingBase}/demo/couriers/${delivery_id}` : undefined,
    pickupAt: after(toPickup),
    deliveryAt: after(toPickup + secondsAt('picked_up')),
    feeCents: 899,
    reason: stage === 'failed' || stage === 'cancelled' ? reasons[plan] : undefined,
  }
}

/** Moves every due courier by one stage, and returns which. Several processes share the work. */
async function advance(db: Database, pace: number): Promise<string[]> {
  const due = await db.systemQuery<Row>(
    `select delivery_id, stage, plan, picked_up_at, created_at from sandbox_couriers where next_at <= now() order by next_at limit 20`,
  )
  const moved: string[] = []
  for (const { delivery_id, stage, plan } of due) {
    const next = detours[plan]?.[stage] ?? road[stage]?.next
    if (next === undefined) continue
    const hasNext = road[next] !== undefined
    const rows = await db.systemQuery(
      `update sandbox_couriers set stage = $3, next_at = case when $4 then now() + make_interval(secs => $5::float8) end,
         picked_up_at = case when $3 = 'picked_up' then now() else picked_up_at end
       where delivery_id = $1 and stage = $2 and next_at <= now() returning delivery_id`,
      [delivery_id, stage, next, hasNext, secondsAt(next) / pace],
    )
    if (rows.length > 0) moved.push(delivery_id)
  }
  return moved
}

const stageWords: Readonly<Record<CourierStage, string>> = {
  requested: 'Looking for a courier',
  assigned: 'A courier is on the way to the store',
  picked_up: 'Picked up, on the way to the door',
  delivered: 'Delivered',
  failed: 'Not delivered',
  cancelled: 'Cancelled',
}

/** The tracking page of a courier service, without its map. */
export async function sandboxTrackingPage(db: Database, deliveryId: string): Promise<string | undefined> {
  const [row] = await db.systemQuery<{ stage: CourierStage }>(
    'select stage from sandbox_couriers where delivery_id = $1',
    [deliveryId],
  )
  if (row === undefined) return undefined
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox courier</title><link rel="stylesheet" href="/demo/outbox.css"></head>
<body><main><h1>${stageWords[row.stage]}</h1><p>Delivery ${deliveryId}. This courier exists in the sandbox alone. Reload the page to see it move.</p></main></body></html>`
}
