import type { CarrierAccount, Label } from '@cellarhand/contract/shipping'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { getOrderText, type OrderKey } from '#orders/public.ts'
import { findCarrierAccount, toWireAccount } from './carrier-account.ts'
import type { LabelFileName } from './label-links.ts'

interface LabelRow {
  purchase_id: string
  box: number
  carrier: string
  tracking_code: string
  bought_at: Date
  bought_by: string
  has_file: boolean
}

/** The labels that are good to use, box by box. */
export async function listLabels(
  db: Database,
  { merchantId, orderId }: OrderKey,
  linkOf: (file: LabelFileName) => string,
): Promise<Label[]> {
  // Another merchant's order, or none at all, is a 404 and no empty list.
  await getOrderText(db, merchantId, orderId)
  const rows = await db.read(merchantId, ({ query }) =>
    query<LabelRow>(
      `select l.purchase_id, l.box, l.carrier, l.tracking_code, l.bought_at, p.actor ->> 'name' as bought_by,
         exists (select from label_files f
           where f.merchant_id = l.merchant_id and f.purchase_id = l.purchase_id and f.box = l.box) as has_file
       from shipping_labels l join label_purchases p using (merchant_id, purchase_id)
       where l.merchant_id = $1 and l.order_id = $2 and l.state = 'bought' and p.state in ('bought', 'voiding')
       order by l.box`,
      [merchantId, orderId],
    ),
  )
  return rows.map(({ purchase_id, box, carrier, tracking_code, bought_at, bought_by, has_file }) => ({
    label_url: has_file ? linkOf({ merchantId, purchaseId: purchase_id, box }) : null,
    carrier,
    tracking_code,
    box,
    bought_at: bought_at.toISOString(),
    bought_by,
  }))
}

export async function readLabelFile(
  db: Database,
  { merchantId, purchaseId, box }: LabelFileName,
): Promise<{ mediaType: string; bytes: Buffer }> {
  const [file] = await db.read(merchantId, ({ query }) =>
    query<{ mediaType: string; bytes: Buffer }>(
      `select media_type as "mediaType", bytes from label_files where merchant_id = $1 and purchase_id = $2 and box = $3`,
      [merchantId, purchaseId, box],
    ),
  )
  return file ?? refuse('not_found')
}

export async function getCarrierAccount(db: Database, merchantId: string): Promise<CarrierAccount> {
  const account = await db.read(merchantId, (statements) => findCarrierAccount(statements, merchantId))
  return account === undefined ? refuse('not_found') : toWireAccount(account)
}
