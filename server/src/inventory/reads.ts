import { readContainerSize } from '@cellarhand/contract/container-size'
import type { Offering, TakenDown } from '@cellarhand/contract/inventory'
import type { Database, Statements } from '#platform/db/database.ts'
import { isActive, offeringText } from './offering-text.ts'

export interface DownRow {
  readonly down_at: Date | null
  readonly down_by: string | null
  readonly down_order_id: string | null
}

/** What the rules of law ask of a bottle. */
export type BottleFacts = Pick<Offering, 'beverage_class' | 'abv' | 'volume_ml'>
type Nullable<T> = { readonly [Name in keyof Required<T>]: NonNullable<T[Name]> | null }

/** The filters for offerings; a filter that is left out matches all. */
export interface OfferingFilter {
  readonly id?: string | undefined
  readonly merchant?: string | undefined
  readonly productId?: string | undefined
  readonly isActive?: boolean | undefined
  readonly isSelling?: boolean | undefined
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

/**
 * The answer's JSON text. All of them at once, because the dashboard sorts them (GAP-176). Thousands keep a processor
 * busy for a while, so the database writes the text, and a merchant has one such look at a time.
 */
export async function listMerchantOfferings(
  db: Database,
  merchantId: string,
  { isSelling }: Pick<OfferingFilter, 'isSelling'>,
): Promise<string> {
  const [row] = await db.longLook<{ text: string }>(
    merchantId,
    `select listed.text from scope cross join lateral (
       select concat('{"items":[', string_agg(${offeringText}, ',' order by o.product_name, o.offering_id),
         '],"total_rows":', count(*), '}') as text
       from offerings o join merchants m using (merchant_id)
       where o.merchant_id = scope.merchant_id and ($2::boolean is null or o.is_selling = $2)) listed`,
    [isSelling ?? null],
  )
  if (row === undefined) throw new Error('The statement always has one row.')
  return row.text
}

export interface OfferingPage {
  /** The JSON text of each. */
  readonly items: readonly string[]
  readonly total: number
}

export async function getOfferingPage(
  db: Database,
  merchantId: string,
  { filter, limit, offset }: { filter: OfferingFilter; limit: number; offset: number },
): Promise<OfferingPage> {
  const { where, values } = conditionOf(merchantId, filter)
  return db.view(merchantId, async ({ query }) => {
    const [rows, [count]] = await Promise.all([
      query<{ text: string }>(
        `select ${offeringText} as text from offerings o join merchants m using (merchant_id)
         where ${where} order by o.product_name, o.offering_id limit $${values.length + 1} offset $${values.length + 2}`,
        [...values, limit, offset],
      ),
      query<{ n: number }>(`select count(*) as n from offerings o where ${where}`, values),
    ])
    return { items: rows.map(({ text }) => text), total: count?.n ?? 0 }
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

interface BottleRow extends Nullable<BottleFacts> {
  readonly offering_id: string
  readonly price_cents: number
  readonly is_active: boolean
  readonly quantity: number
  readonly product_name: string | null
  readonly product_id: string | null
  readonly container_size: string | null
  readonly merchant_sku: string | null
  readonly stock_behavior: string | null
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
  const rows = await query<BottleRow>(
    `select o.offering_id, o.price_cents, ${isActive} as is_active, o.quantity, o.product_name, o.product_id,
       o.container_size, o.merchant_sku, o.stock_behavior, o.beverage_class, o.abv, o.volume_ml
     from offerings o where o.merchant_id = $1 and o.offering_id = any ($2)`,
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
