import type { Database, Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { leaseEnd, type DueTable } from '#platform/jobs/claim.ts'
import type { Actor } from '#orders/public.ts'
import type { BoughtLabel, Quote } from '../port/shipping-port.ts'

export type PurchaseState = 'running' | 'in_doubt' | 'bought' | 'failed' | 'voiding' | 'voided'
type LabelState = 'planned' | 'quoted' | 'buying' | 'bought' | 'to_void' | 'voided' | 'kept'

export interface PurchaseKey {
  readonly merchantId: string
  readonly purchaseId: string
}

export interface Purchase extends PurchaseKey {
  readonly orderId: string
  readonly state: PurchaseState
  readonly actor: Actor
  readonly attempt: number
  readonly idempotencyKey: string | null
  readonly requestHash: string | null
  readonly createdAt: Date
  /** The address as `addressText` writes it; null in purchases of earlier releases. */
  readonly sentTo: string | null
  /** What its boxes cost together, as they were quoted; null before, and in purchases of earlier releases. */
  readonly priceCents: number | null
}

export interface StoredLabel {
  readonly box: number
  readonly state: LabelState
  readonly weight: number
  readonly insurance: number
  readonly shipment: string | null
  readonly rate: string | null
  /** Since its purchase began, by the database's clock. */
  readonly buyingSeconds: number | null
  readonly carrier: string | null
  readonly trackingCode: string | null
  readonly trackingUrl: string | null
}

export const purchases: DueTable<Pick<Purchase, 'merchantId' | 'purchaseId' | 'attempt'>> = {
  table: 'label_purchases',
  key: { merchant_id: 'text', purchase_id: 'uuid' },
  due: 'lease_until',
  fence: 'attempt',
  idOf: ({ merchantId, purchaseId, attempt }) => [merchantId, purchaseId, attempt],
}

interface PurchaseRow {
  merchant_id: string
  purchase_id: string
  order_id: string
  state: PurchaseState
  actor: string
  attempt: number
  idempotency_key: string | null
  request_hash: string | null
  created_at: Date
  sent_to: string | null
  price_cents: number | null
}

const columns =
  'merchant_id, purchase_id, order_id, state, actor, attempt, idempotency_key, request_hash, created_at, sent_to, price_cents'

function toPurchase(row: PurchaseRow): Purchase {
  return {
    merchantId: row.merchant_id,
    purchaseId: row.purchase_id,
    orderId: row.order_id,
    state: row.state,
    actor: JSON.parse(row.actor) as Actor,
    attempt: row.attempt,
    idempotencyKey: row.idempotency_key,
    requestHash: row.request_hash,
    createdAt: row.created_at,
    sentTo: row.sent_to,
    priceCents: row.price_cents,
  }
}

/** The purchase that blocks another one, or has bought the labels. */
export async function findLivePurchase(
  statements: Statements,
  { merchantId, orderId }: { merchantId: string; orderId: string },
): Promise<Purchase | undefined> {
  const [row] = await statements.query<PurchaseRow>(
    `select ${columns} from label_purchases
     where merchant_id = $1 and order_id = $2 and state in ('running', 'in_doubt', 'bought', 'voiding')`,
    [merchantId, orderId],
  )
  return row === undefined ? undefined : toPurchase(row)
}

/** The purchase under this key, done or under way. Only a failed purchase may be repeated. */
export async function findPurchaseByKey(
  statements: Statements,
  { merchantId, orderId }: { merchantId: string; orderId: string },
  idempotencyKey: string,
): Promise<Purchase | undefined> {
  const [row] = await statements.query<PurchaseRow>(
    `select ${columns} from label_purchases
     where merchant_id = $1 and order_id = $2 and idempotency_key = $3 and state <> 'failed'
     order by created_at desc limit 1`,
    [merchantId, orderId, idempotencyKey],
  )
  return row === undefined ? undefined : toPurchase(row)
}

/** Those of these orders whose last purchase has no final result yet. */
export async function listUnsettled(
  { query }: Statements,
  { merchantId, orderIds }: { merchantId: string; orderIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await query<{ order_id: string }>(
    `select order_id from label_purchases
     where merchant_id = $1 and order_id = any($2) and state in ('running', 'in_doubt', 'voiding')`,
    [merchantId, orderIds],
  )
  return new Set(rows.map(({ order_id }) => order_id))
}

/** Whether a purchase under this key may have bought something that is still unknown. */
export async function hasUnsettled(
  { query }: Statements,
  { merchantId, idempotencyKey }: { merchantId: string; idempotencyKey: string },
): Promise<boolean> {
  const rows = await query(
    `select 1 from label_purchases
     where merchant_id = $1 and idempotency_key = $2 and state in ('running', 'in_doubt') limit 1`,
    [merchantId, idempotencyKey],
  )
  return rows.length > 0
}

/** Undefined if another process has taken it over since, or it is settled. Locks it until the transaction ends. */
export async function lockPurchase(
  statements: Statements,
  purchase: Pick<Purchase, 'merchantId' | 'purchaseId' | 'attempt'>,
): Promise<Purchase | undefined> {
  const [row] = await statements.query<PurchaseRow>(
    `select ${columns} from label_purchases
     where merchant_id = $1 and purchase_id = $2 and attempt = $3 for update`,
    [purchase.merchantId, purchase.purchaseId, purchase.attempt],
  )
  return row === undefined ? undefined : toPurchase(row)
}

/** False when somebody took it over; else nobody does until the transaction ends. */
async function keepHolding(
  { query }: Statements,
  { merchantId, purchaseId, attempt }: Purchase,
): Promise<boolean> {
  const held = await query(
    `update label_purchases set lease_until = ${leaseEnd}
     where merchant_id = $1 and purchase_id = $2 and attempt = $3 and state = 'running' returning 1`,
    [merchantId, purchaseId, attempt],
  )
  return held.length > 0
}

/** Right before the call that spends money on all of them. If one is no longer held, none is marked. */
export async function startBuying(statements: Statements, purchases: readonly Purchase[]): Promise<void> {
  for (const purchase of purchases) {
    if (!(await keepHolding(statements, purchase))) refuse('labels_in_doubt')
    await statements.query(
      `update shipping_labels set state = 'buying', buying_since = now()
       where merchant_id = $1 and purchase_id = $2 and state = 'quoted'`,
      [purchase.merchantId, purchase.purchaseId],
    )
  }
}

export async function setPurchaseState(
  statements: Statements,
  { merchantId, purchaseId }: PurchaseKey,
  { state, againInSeconds = 0 }: { state: PurchaseState; againInSeconds?: number },
): Promise<void> {
  await statements.query(
    `update label_purchases set state = $3, lease_until = now() + make_interval(secs => $4),
       finished_at = case when $3 in ('bought', 'failed', 'voided') then now() end
     where merchant_id = $1 and purchase_id = $2`,
    [merchantId, purchaseId, state, againInSeconds],
  )
}

export async function listLabelsOf(
  statements: Statements,
  { merchantId, purchaseId }: PurchaseKey,
): Promise<StoredLabel[]> {
  return statements.query<StoredLabel>(
    `select box, state, weight::float8 as weight, insurance::float8 as insurance, shipment, rate,
       extract(epoch from now() - buying_since)::float8 as "buyingSeconds", carrier, tracking_code as "trackingCode", tracking_url as "trackingUrl"
     from shipping_labels where merchant_id = $1 and purchase_id = $2 order by box`,
    [merchantId, purchaseId],
  )
}

/** Each change of a label is its own transaction: facts from outside must survive any later failure. */
export function labelBooks(db: Database, purchase: Purchase) {
  const { merchantId, purchaseId } = purchase
  const assign =
    (box: number, assignments: string, values: readonly unknown[] = []) =>
    ({ query }: Statements) =>
      query(
        `update shipping_labels set ${assignments} where merchant_id = $1 and purchase_id = $2 and box = $3`,
        [merchantId, purchaseId, box, ...values],
      )
  const set = (box: number, assignments: string) => db.write(merchantId, assign(box, assignments))
  /** A step towards a label. A process that was too slow stops here, because another may be buying by now. */
  const goOn = async (statements: Statements, step: ReturnType<typeof assign>) => {
    if (!(await keepHolding(statements, purchase))) refuse('labels_in_doubt')
    await step(statements)
  }
  return {
    quoted: (box: number, { shipment, rate, cents }: Quote) =>
      db.write(merchantId, async (statements) => {
        await goOn(statements, assign(box, `state = 'quoted', shipment = $4, rate = $5`, [shipment, rate]))
        await statements.query(
          `update label_purchases set price_cents = coalesce(price_cents, 0) + $3
           where merchant_id = $1 and purchase_id = $2`,
          [merchantId, purchaseId, cents],
        )
      }),
    /** Before the call: a later reader then knows that the money may be spent. */
    buying: (box: number) =>
      db.write(merchantId, (statements) =>
        goOn(statements, assign(box, `state = 'buying', buying_since = now()`)),
      ),
    notBought: (box: number) => set(box, `state = 'quoted', buying_since = null`),
    /** The carrier refused to take it back. */
    kept: (box: number) => set(box, `state = 'kept'`),
    voided: (box: number) => set(box, `state = 'voided'`),
    bought: (box: number, { label, trackingUrl }: { label: BoughtLabel; trackingUrl: string | null }) =>
      db.write(merchantId, async ({ query }) => {
        await query(
          `update shipping_labels set state = 'bought', bought_at = now(), carrier = $4, tracking_code = $5, tracking_url = $6
           where merchant_id = $1 and purchase_id = $2 and box = $3`,
          [merchantId, purchaseId, box, label.carrier, label.trackingCode, trackingUrl],
        )
        if (label.file === null) return
        await query(
          `insert into label_files (merchant_id, purchase_id, box, media_type, bytes) values ($1, $2, $3, $4, $5)
           on conflict do nothing`,
          [merchantId, purchaseId, box, label.file.mediaType, label.file.bytes],
        )
      }),
  }
}
