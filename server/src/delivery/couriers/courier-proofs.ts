import type { OrderDuties } from '@cellarhand/contract/duties'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { DueTable } from '#platform/jobs/claim.ts'
import { lockOrder, uncheckedRules, writeChange, type LockedOrder, type OrderKey } from '#orders/public.ts'
import type { CourierProof } from './courier.ts'
import { asksForCheckAlone, findReliance, type Reliance } from './courier-checks.ts'
import { pictureTypeOf } from './provider-answers.ts'

/** A delivery whose proof is still asked for. */
export interface DueProof {
  readonly merchant_id: string
  readonly order_id: string
  readonly attempt: number
}

/** The courier's application sends the picture a little after the delivery. */
const firstAfterSeconds = 30
/** Then the order needs a look. */
const lateAfter = `interval '1 hour'`
export const isLate = (row: string) => `${row}.delivered_at + ${lateAfter} <= now()`
/** Uber Direct keeps a signature for 30 days. */
const goneAfter = `interval '30 days'`

/** What an order carries while its proof is missing. An owner ends it with a reason, as with a missing check. */
const missingProof = 'COURIER-PROOF'

export const proofs: DueTable<DueProof> = {
  table: 'courier_proofs',
  key: { merchant_id: 'text', order_id: 'text', attempt: 'integer' },
  due: 'due_at',
  idOf: ({ merchant_id, order_id, attempt }) => [merchant_id, order_id, attempt],
}

/** In the transaction that takes the news of the delivery, so that no proof is forgotten. */
export async function expectProof(
  { query }: Statements,
  { merchantId, orderId }: OrderKey,
  attempt: number,
): Promise<void> {
  await query(
    `insert into courier_proofs (merchant_id, order_id, attempt, due_at)
     values ($1, $2, $3, now() + make_interval(secs => ${firstAfterSeconds})) on conflict do nothing`,
    [merchantId, orderId, attempt],
  )
}

interface Stored {
  readonly due_at: Date | null
  readonly delivered_at: Date
  readonly is_late: boolean
  readonly is_told: boolean
  readonly signed_by: string | null
  readonly is_id_checked: boolean | null
  readonly has_signature: boolean
  /** The order was not asked for another courier since. */
  readonly is_latest: boolean
}

interface Sent {
  readonly service: string
  readonly proof: CourierProof
}

/** Keeps what the service has sent. The order's history tells of a whole proof, or once of a missing one. */
export async function takeProof(
  statements: Statements,
  due: DueProof,
  { service, proof }: Sent,
): Promise<void> {
  const id = [...proofs.idOf(due)]
  const key = { merchantId: due.merchant_id, orderId: due.order_id }
  const locked = await lockOrder(statements, key)
  const [before] = await statements.query<Stored>(
    `select due_at, delivered_at, ${isLate('courier_proofs')} as is_late, missed_at is not null as is_told,
       signed_by, is_id_checked, signature is not null as has_signature, not exists (
         select from courier_deliveries later where later.merchant_id = courier_proofs.merchant_id
           and later.order_id = courier_proofs.order_id and later.attempt > courier_proofs.attempt) as is_latest
     from courier_proofs where merchant_id = $1 and order_id = $2 and attempt = $3 for update`,
    id,
  )
  // Another process has had it meanwhile.
  if (before === undefined || before.due_at === null) return
  const type = proof.signature && pictureTypeOf(proof.signature)
  const kept: Stored = {
    ...before,
    signed_by: proof.signedBy ?? before.signed_by,
    is_id_checked: proof.isIdChecked ?? before.is_id_checked,
    has_signature: type !== undefined || before.has_signature,
  }
  const lacks = lacksOf(kept)
  const isWhole = lacks.length === 0
  // A service that says nothing of the check may still say it within the hour.
  const silent = kept.is_id_checked === null ? uncheckedOf(locked) : []
  const { reliance, unchecked } = await relyOn(statements, due.merchant_id, { service, silent })
  const isNewlyRelied = reliance !== undefined && locked.order.duties?.relied_on === undefined
  const isToBeTold = lacks.length + unchecked.length > 0 && before.is_late && !before.is_told
  // Every two minutes at first, and ever less often the older it grows.
  await statements.query(
    `update courier_proofs set signed_by = $4, is_id_checked = $5,
       media_type = coalesce($6, media_type), signature = coalesce($7, signature),
       missed_at = case when $8 then now() else missed_at end,
       due_at = case
         when $9 or delivered_at + ${goneAfter} <= now() then null
         when $10 then delivered_at + ${lateAfter}
         when delivered_at + ${lateAfter} > now() then least(now() + interval '2 minutes', delivered_at + ${lateAfter})
         else now() + (now() - delivered_at) / 4 end
     where merchant_id = $1 and order_id = $2 and attempt = $3`,
    [
      ...id,
      kept.signed_by,
      kept.is_id_checked,
      type ?? null,
      type === undefined ? null : proof.signature,
      isToBeTold,
      isWhole && (unchecked.length === 0 || before.is_late),
      isWhole,
    ],
  )
  // Kept, but the order's next hand-over needs a check of its own.
  if (!before.is_latest || cameToNothing(locked)) return
  const isNews = lacksOf(before).length > 0 || before.is_id_checked !== kept.is_id_checked
  if (isWhole && (isNews || isNewlyRelied))
    await tellKept(statements, key, { locked, service, reliance, kept })
  if (isToBeTold)
    await tellMissing(statements, key, {
      locked: await lockOrder(statements, key),
      service,
      reliance,
      lacks,
      unchecked,
    })
}

/** The owner's word covers a check of which the service says nothing, and nothing that the shop has to record itself. */
async function relyOn(
  statements: Statements,
  merchantId: string,
  { service, silent }: { service: string; silent: Missing },
): Promise<{ reliance: Reliance | undefined; unchecked: Missing }> {
  const found = silent.length === 0 ? undefined : await findReliance(statements, merchantId, service)
  if (found === undefined) return { reliance: undefined, unchecked: silent }
  const isCovered = await asksForCheckAlone(statements, merchantId)
  const unchecked = silent.filter((each) => !isCovered(each))
  return { reliance: unchecked.length < silent.length ? found : undefined, unchecked }
}

/** The checks that the rules asked for, of an order that the courier's delivery has closed without one. */
function uncheckedOf({ order }: LockedOrder): Missing {
  return order.status === 'CLOSED' ? uncheckedRules(order) : []
}

/** For the shop, this courier has handed nothing over: the clerk noted that the bottles came back. */
function cameToNothing({ order: { courier_info: info } }: LockedOrder): boolean {
  return info?.order_status === 'ORDER_FAILED' || info?.order_status === 'ORDER_CANCELLED'
}

function lacksOf({ has_signature, is_id_checked }: Stored): string[] {
  return [
    ...(has_signature ? [] : ['the picture of the signature is missing']),
    ...(is_id_checked === false ? ['it does not say that the ID was checked'] : []),
  ]
}

type Missing = NonNullable<OrderDuties['missing']>

interface Told {
  readonly locked: LockedOrder
  readonly service: string
  readonly reliance: Reliance | undefined
}

async function tellKept(
  statements: Statements,
  { merchantId }: OrderKey,
  { locked, service, reliance, kept }: Told & { kept: Stored },
): Promise<void> {
  const { delivery_info: info, age_check: check, duties } = locked.order
  const isChecked = kept.is_id_checked === true
  await writeChange(statements, merchantId, {
    locked,
    change: {
      action: 'courier_proof',
      actor: { kind: 'courier', id: null, name: service },
      patch: {
        ...(info && { delivery_info: { ...info, signed_by: info.signed_by ?? kept.signed_by } }),
        ...(isChecked && check?.result !== 'passed' && { age_check: checkBy(service, kept.delivered_at) }),
        ...((duties?.missing || duties?.relied_on || reliance) &&
          withMissing(locked, { isChecked, missing: [], relied: relied(service, reliance) })),
      },
      details: {
        signed_by: kept.signed_by,
        signature: 'kept',
        id_check: isChecked ? 'passed' : silentWords(service, reliance),
      },
    },
  })
}

async function tellMissing(
  statements: Statements,
  { merchantId }: OrderKey,
  { locked, service, reliance, lacks, unchecked }: Told & { lacks: readonly string[]; unchecked: Missing },
): Promise<void> {
  const why = lacks.join(' and ')
  const isSilent = unchecked.length > 0 ? ['it does not tell the result of the ID check'] : []
  const words = `${service} has sent no full proof of the delivery: ${why}. Please ask ${service} for it.`
  await writeChange(statements, merchantId, {
    locked,
    change: {
      action: 'miss_proof',
      actor: { kind: 'system', id: null, name: 'Cellarhand' },
      patch: withMissing(locked, {
        isChecked: false,
        relied: relied(service, reliance),
        missing: [
          ...(lacks.length > 0 ? [{ rule: missingProof, kind: 'adult_signature' as const, words }] : []),
          ...unchecked,
        ],
      }),
      details: { service, reason: [...lacks, ...isSilent].join(' and ') },
    },
  })
}

function withMissing(
  { order: { duties } }: LockedOrder,
  { isChecked, missing, relied }: { isChecked: boolean; missing: Missing; relied: Relied },
): { duties: OrderDuties } {
  const { relied_on: _, ...before } = duties ?? { block: [], must: [] }
  const others =
    duties?.missing?.filter(
      ({ rule, kind }) => rule !== missingProof && !(isChecked && kind === 'age_check'),
    ) ?? []
  const all = [...others, ...missing]
  const isMissing = all.length > 0 || duties?.missing !== undefined
  return { duties: { ...before, ...relied, ...(isMissing && { missing: all }) } }
}

type Relied = Pick<OrderDuties, 'relied_on'>

/** What the order says of a check that the shop left to the service. It claims no result. */
function relied(service: string, reliance: Reliance | undefined): Relied {
  return reliance === undefined ? {} : { relied_on: { service, by: reliance.by, on: reliance.on } }
}

function silentWords(service: string, reliance: Reliance | undefined): string {
  return reliance === undefined
    ? `${service} does not tell its result`
    : `left to ${service} under its agreement, which ${reliance.by} confirmed on ${reliance.on}; ${service} sends no result`
}

function checkBy(service: string, at: Date) {
  return {
    result: 'passed',
    reason: null,
    method: null,
    checked_by: `${service}’s courier`,
    checked_at: at.toISOString(),
  } as const
}

/** The newest one: an order that came back may have been delivered by a second courier. */
export async function readSignature(
  db: Database,
  { merchantId, orderId }: OrderKey,
): Promise<{ mediaType: string; bytes: Buffer }> {
  const [found] = await db.view(merchantId, ({ query }) =>
    query<{ mediaType: string; bytes: Buffer }>(
      `select media_type as "mediaType", signature as bytes from courier_proofs
       where merchant_id = $1 and order_id = $2 and signature is not null order by attempt desc limit 1`,
      [merchantId, orderId],
    ),
  )
  return found ?? refuse('not_found')
}
