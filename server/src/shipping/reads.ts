import type { CarrierAccount, Label } from '@cellarhand/contract/shipping'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { getOrderText, type OrderKey } from '#orders/public.ts'
import { findCarrierAccount, toWireAccount } from './account/carrier-account.ts'
import type { LabelFileName } from './labels/label-links.ts'
import { zplType, type LabelFile } from './port/label-files.ts'
import type { LabelPress } from './port/label-tasks.ts'

/** The box number that means all boxes of a purchase; real numbers begin at 1. */
const everyBox = 0

interface LabelRow {
  purchase_id: string
  box: number
  carrier: string
  tracking_code: string
  bought_at: Date
  bought_by: string
  media_type: string | null
}

/** The valid labels, box by box. */
export async function listLabels(
  db: Database,
  { merchantId, orderId }: OrderKey,
  linkOf: (file: LabelFileName) => string,
): Promise<Label[]> {
  // A missing or another merchant's order is a 404, not an empty list.
  await getOrderText(db.view, merchantId, orderId)
  const rows = await db.view(merchantId, ({ query }) =>
    query<LabelRow>(
      `select l.purchase_id, l.box, l.carrier, l.tracking_code, l.bought_at, p.actor ->> 'name' as bought_by,
         f.media_type
       from shipping_labels l join label_purchases p using (merchant_id, purchase_id)
         left join label_files f using (merchant_id, purchase_id, box)
       where l.merchant_id = $1 and l.order_id = $2 and l.state = 'bought' and p.state in ('bought', 'voiding')
       order by l.box`,
      [merchantId, orderId],
    ),
  )
  const [first] = rows
  const kinds = new Set(rows.map(({ media_type }) => media_type))
  // A label printer's language and a browser's formats cannot go into one file.
  const isWhole = !kinds.has(null) && (kinds.size <= 1 || !kinds.has(zplType))
  const print_url =
    first === undefined || !isWhole
      ? null
      : linkOf({ merchantId, purchaseId: first.purchase_id, box: everyBox })
  return rows.map(({ purchase_id, box, carrier, tracking_code, bought_at, bought_by, media_type }) => ({
    print_url,
    media_type,
    label_url: media_type !== null ? linkOf({ merchantId, purchaseId: purchase_id, box }) : null,
    carrier,
    tracking_code,
    box,
    bought_at: bought_at.toISOString(),
    bought_by,
  }))
}

/** One box's file, or those of all boxes as one. The press puts them together, since that can take seconds. */
export async function readLabelFile(
  { db, press }: { readonly db: Database; readonly press: LabelPress },
  file: LabelFileName,
): Promise<LabelFile> {
  const [first, second] = await selectLabelFiles(db, file, 2)
  if (first === undefined) return refuse('not_found')
  if (second === undefined) return first
  return press.merge(file.merchantId, () => selectLabelFiles(db, file))
}

async function selectLabelFiles(
  db: Database,
  { merchantId, purchaseId, box }: LabelFileName,
  atMost: number | null = null,
): Promise<LabelFile[]> {
  return db.view(merchantId, ({ query }) =>
    query<LabelFile>(
      `select f.media_type as "mediaType", f.bytes
       from label_files f join shipping_labels l using (merchant_id, purchase_id, box)
       where merchant_id = $1 and purchase_id = $2 and ($3 = ${everyBox} or box = $3) and l.state = 'bought'
       order by box limit $4`,
      [merchantId, purchaseId, box, atMost],
    ),
  )
}

export async function getCarrierAccount(db: Database, merchantId: string): Promise<CarrierAccount> {
  const account = await db.view(merchantId, (statements) => findCarrierAccount(statements, merchantId))
  return account === undefined ? refuse('not_found') : toWireAccount(account)
}
