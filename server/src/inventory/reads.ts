import { toDollars } from '@cellarhand/contract/money'
import { readContainerSize } from '@cellarhand/contract/container-size'
import type { BeverageClass } from '@cellarhand/contract/duty-rules'
import { formatGtin } from '@cellarhand/contract/gtin'
import type { Offering, TakenDown } from '@cellarhand/contract/inventory'
import type { Database, Statements } from '#platform/db/database.ts'

export interface DownRow {
  readonly down_at: Date | null
  readonly down_by: string | null
  readonly down_order_id: string | null
}

interface OfferingRow extends DownRow {
  readonly offering_id: string
  readonly product_id: string | null
  readonly product_name: string | null
  readonly brand: string | null
  readonly container_size: string | null
  readonly price_cents: number
  readonly quantity: number
  readonly is_active: boolean
  readonly stock_behavior: string | null
  readonly merchant_name: string
  readonly beverage_class: BeverageClass | null
  readonly abv: number | null
  readonly volume_ml: number | null
  readonly gtin: string | null
  readonly location: string | null
}

/** What the rules of law ask of a bottle. */
export type BottleFacts = Pick<Offering, 'beverage_class' | 'abv' | 'volume_ml'>
type Nullable<T> = { readonly [Name in keyof Required<T>]: NonNullable<T[Name]> | null }

/** As the stock list says it, unless a clerk has found none since. */
export const isActive = '(o.is_active and o.down_at is null)'

const offeringColumns = `o.offering_id, o.product_id, o.product_name, o.brand, o.container_size, o.price_cents, o.quantity,
  ${isActive} as is_active, o.stock_behavior, o.beverage_class, o.abv, o.volume_ml, o.gtin, o.location, o.down_at, o.down_by,
  o.down_order_id, m.name as merchant_name`

/** The filters for offerings; a filter that is left out matches all. */
export interface OfferingFilter {
  readonly id?: string | undefined
  readonly merchant?: string | undefined
  readonly productId?: string | undefined
  readonly isActive?: boolean | undefined
  readonly isSelling?: boolean | undefined
}

function toOffering(row: OfferingRow): Offering {
  return {
    id: row.offering_id,
    price: toDollars(row.price_cents),
    quantity: row.quantity,
    is_active: row.is_active,
    stock_behavior: row.stock_behavior,
    product:
      row.product_id === null
        ? null
        : {
            tpk: row.product_id,
            product_line:
              row.product_name === null
                ? null
                : { name: row.product_name, brand: row.brand === null ? null : { name: row.brand } },
            container_size: row.container_size === null ? null : { formatted: row.container_size },
          },
    merchant: { name: row.merchant_name },
    ...factsOf(row),
    ...(row.gtin !== null && { gtin: formatGtin(row.gtin) }),
    ...(row.location !== null && { location: row.location }),
    ...takenDownOf(row),
  }
}

/** As the wire says it; nothing of an offering that is on sale as the stock list says. */
export function takenDownOf({ down_at: at, down_by: by, down_order_id: orderId }: DownRow): {
  taken_down?: TakenDown
} {
  return at === null ? {} : { taken_down: { at: at.toISOString(), by: by ?? '', order_id: orderId ?? '' } }
}

/** The facts that the stock list says. */
function factsOf({ beverage_class, abv, volume_ml }: Nullable<BottleFacts>): BottleFacts {
  return {
    ...(beverage_class !== null && { beverage_class }),
    ...(abv !== null && { abv }),
    ...(volume_ml !== null && { volume_ml }),
  }
}

function conditionOf(merchantId: string, filter: OfferingFilter): { where: string; values: unknown[] } {
  const wanted = [
    ['o.merchant_id', merchantId],
    ['o.offering_id', filter.id],
    ['o.merchant_id', filter.merchant],
    ['o.product_id', filter.productId],
    [isActive, filter.isActive],
    ['o.is_selling', filter.isSelling],
  ].filter(([, value]) => value !== undefined)
  return {
    where: wanted.map(([column], index) => `${String(column)} = $${index + 1}`).join(' and '),
    values: wanted.map(([, value]) => value),
  }
}

/** `range` is written into the text, so it holds nothing that a caller chooses: each text stays prepared for good. */
async function selectOfferings(
  { query }: Statements,
  { where, values }: ReturnType<typeof conditionOf>,
  range = '',
): Promise<Offering[]> {
  const rows = await query<OfferingRow>(
    `select ${offeringColumns} from offerings o join merchants m using (merchant_id)
     where ${where} order by o.product_name, o.offering_id${range}`,
    values,
  )
  return rows.map(toOffering)
}

/** All of them at once, because the dashboard sorts them (GAP-176). */
export async function listMerchantOfferings(
  db: Database,
  merchantId: string,
  filter: OfferingFilter,
): Promise<Offering[]> {
  return db.view(merchantId, (statements) => selectOfferings(statements, conditionOf(merchantId, filter)))
}

export interface OfferingPage {
  readonly items: Offering[]
  readonly total: number
}

export async function getOfferingPage(
  db: Database,
  merchantId: string,
  { filter, limit, offset }: { filter: OfferingFilter; limit: number; offset: number },
): Promise<OfferingPage> {
  const condition = conditionOf(merchantId, filter)
  const filled = condition.values.length
  return db.view(merchantId, async (statements) => {
    const [items, [count]] = await Promise.all([
      selectOfferings(
        statements,
        { ...condition, values: [...condition.values, limit, offset] },
        ` limit $${filled + 1} offset $${filled + 2}`,
      ),
      statements.query<{ n: number }>(
        `select count(*) as n from offerings o where ${condition.where}`,
        condition.values,
      ),
    ])
    return { items, total: count?.n ?? 0 }
  })
}

interface FactsRow extends Nullable<BottleFacts> {
  readonly offering_id: string
  readonly merchant_sku: string | null
  readonly container_size: string | null
}

/** A line's reference to an offering of the stock list. */
export interface OfferingReference {
  readonly id: string
  readonly merchant_sku?: string | null | undefined
}

/** What the stock list says of the bottles behind some offerings: found by the offering's id, else by the shop's own number. */
export async function findBottleFacts(
  { query }: Statements,
  merchantId: string,
  wanted: readonly OfferingReference[],
): Promise<(offering: OfferingReference) => BottleFacts> {
  const rows =
    wanted.length === 0
      ? []
      : await query<FactsRow>(
          `select offering_id, merchant_sku, container_size, beverage_class, abv, volume_ml from offerings
           where merchant_id = $1 and (offering_id = any($2) or merchant_sku = any($3)) order by offering_id`,
          [merchantId, wanted.map(({ id }) => id), wanted.flatMap(({ merchant_sku: sku }) => sku ?? [])],
        )
  return ({ id, merchant_sku: sku }) => {
    const row =
      rows.find((each) => each.offering_id === id) ?? rows.find((each) => sku && each.merchant_sku === sku)
    if (row === undefined) return {}
    const read = row.container_size === null ? undefined : readContainerSize(row.container_size)?.millilitres
    return factsOf({ ...row, volume_ml: row.volume_ml ?? (read || null) })
  }
}

/** An offering as a line of an order has it. */
export interface ListedBottle {
  readonly id: string
  readonly priceCents: number
  readonly isActive: boolean
  readonly quantity: number
  readonly name: string | null
  readonly productId: string | null
  readonly containerSize: string | null
  readonly merchantSku: string | null
  readonly stockBehavior: string | null
  readonly facts: BottleFacts
}

/** The offerings of these ids, by id. */
export async function findBottles(
  { query }: Statements,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, ListedBottle>> {
  const rows = await query<OfferingRow & { merchant_sku: string | null }>(
    `select ${offeringColumns}, o.merchant_sku from offerings o join merchants m using (merchant_id)
     where o.merchant_id = $1 and o.offering_id = any ($2)`,
    [merchantId, ids],
  )
  return new Map(
    rows.map((row) => [
      row.offering_id,
      {
        id: row.offering_id,
        priceCents: row.price_cents,
        isActive: row.is_active,
        quantity: row.quantity,
        name: row.product_name,
        productId: row.product_id,
        containerSize: row.container_size,
        merchantSku: row.merchant_sku,
        stockBehavior: row.stock_behavior,
        facts: factsOf(row),
      },
    ]),
  )
}
