import type { Statements } from '#platform/db/database.ts'
import type { OfferingReference } from './reads.ts'

/** What the stock list says of a bottle to a clerk who looks for it. */
export interface Shelf {
  readonly offering_id: string
  readonly merchant_sku: string | null
  readonly product_name: string | null
  readonly container_size: string | null
  /** The number in the barcode, without leading zeros. */
  readonly gtin: string | null
  readonly location: string | null
}

const columns = 'offering_id, merchant_sku, product_name, container_size, gtin, location'

/** The shelves behind some offerings: found by the offering's id, else by the shop's own number. */
export async function findShelves(
  { query }: Statements,
  merchantId: string,
  wanted: readonly OfferingReference[],
): Promise<(offering: OfferingReference) => Shelf | undefined> {
  const rows =
    wanted.length === 0
      ? []
      : await query<Shelf>(
          `select ${columns} from offerings
           where merchant_id = $1 and (offering_id = any($2) or merchant_sku = any($3)) order by offering_id`,
          [merchantId, wanted.map(({ id }) => id), wanted.flatMap(({ merchant_sku: sku }) => sku ?? [])],
        )
  return ({ id, merchant_sku: sku }) =>
    rows.find((row) => row.offering_id === id) ?? rows.find((row) => sku && row.merchant_sku === sku)
}

/** The first bottle with one of these numbers. */
export async function findByGtin(
  { query }: Statements,
  merchantId: string,
  gtins: readonly string[],
): Promise<Shelf | undefined> {
  const [row] = await query<Shelf>(
    `select ${columns} from offerings where merchant_id = $1 and gtin = any($2) order by offering_id limit 1`,
    [merchantId, gtins],
  )
  return row
}
