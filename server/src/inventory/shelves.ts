import type { Statements } from '#platform/db/database.ts'
import type { TakenDown } from '@cellarhand/contract/inventory'
import { isActive } from './offering-text.ts'
import { takenDownOf, type DownRow, type OfferingReference } from './reads.ts'

/** What the stock list says of a bottle to a clerk who looks for it. */
export interface Shelf {
  readonly offering_id: string
  readonly merchant_sku: string | null
  readonly product_name: string | null
  readonly container_size: string | null
  /** The number in the barcode, without leading zeros. */
  readonly gtin: string | null
  readonly location: string | null
  /** Whether it is on sale, and which clerk found none. */
  readonly is_active: boolean
  readonly taken_down?: TakenDown
}

type ShelfRow = Omit<Shelf, 'taken_down'> & DownRow

const columns = `o.offering_id, o.merchant_sku, o.product_name, o.container_size, o.gtin, o.location, ${isActive} as is_active,
  o.down_at, o.down_by, o.down_order_id`

function toShelf({ down_at, down_by, down_order_id, ...row }: ShelfRow): Shelf {
  return { ...row, ...takenDownOf({ down_at, down_by, down_order_id }) }
}

/** The shelves behind some offerings: found by the offering's id, else by the shop's own number. */
export async function findShelves(
  { query }: Statements,
  merchantId: string,
  wanted: readonly OfferingReference[],
): Promise<(offering: OfferingReference) => Shelf | undefined> {
  const rows =
    wanted.length === 0
      ? []
      : await query<ShelfRow>(
          `select ${columns} from offerings o
           where o.merchant_id = $1 and (o.offering_id = any($2) or o.merchant_sku = any($3)) order by o.offering_id`,
          [merchantId, wanted.map(({ id }) => id), wanted.flatMap(({ merchant_sku: sku }) => sku ?? [])],
        )
  const shelves = rows.map(toShelf)
  return ({ id, merchant_sku: sku }) =>
    shelves.find((shelf) => shelf.offering_id === id) ??
    shelves.find((shelf) => sku && shelf.merchant_sku === sku)
}

/** The first bottle with one of these numbers. */
export async function findByGtin(
  { query }: Statements,
  merchantId: string,
  gtins: readonly string[],
): Promise<Shelf | undefined> {
  const [row] = await query<ShelfRow>(
    `select ${columns} from offerings o where o.merchant_id = $1 and o.gtin = any($2) order by o.offering_id limit 1`,
    [merchantId, gtins],
  )
  return row && toShelf(row)
}
