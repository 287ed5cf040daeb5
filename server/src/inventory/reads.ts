import { toDollars } from '@cellarhand/contract/money'
import type { Offering } from '@cellarhand/contract/inventory'
import type { Database, Statements } from '#platform/db/database.ts'

interface OfferingRow {
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
}

const offeringColumns = `o.offering_id, o.product_id, o.product_name, o.brand, o.container_size, o.price_cents, o.quantity,
  o.is_active, o.stock_behavior, m.name as merchant_name`

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
  }
}

function conditionOf(merchantId: string, filter: OfferingFilter): { where: string; values: unknown[] } {
  const wanted = [
    ['o.merchant_id', merchantId],
    ['o.offering_id', filter.id],
    ['o.merchant_id', filter.merchant],
    ['o.product_id', filter.productId],
    ['o.is_active', filter.isActive],
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
  return db.read(merchantId, (statements) => selectOfferings(statements, conditionOf(merchantId, filter)))
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
  return db.read(merchantId, async (statements) => {
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
