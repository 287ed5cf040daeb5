import { mostOrdersAtOnce, type MarketplaceOrderQuery } from '@cellarhand/contract/marketplace'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { isRealTimestamp } from '../document/order-problems.ts'
import { toText, type OrderRow } from '../document/reads.ts'

interface ListedRow extends OrderRow {
  readonly merchant_id: string
  readonly order_id: string
  readonly submitted_at: Date
}

/** The place after which the next page begins: merchant, time and number of the last order. */
type Cursor = readonly [merchant: string, submittedAt: string, orderId: string]
const beginning: Cursor = ['', '-infinity', '']

const columns =
  'o.merchant_id, o.order_id, o.submitted_at, o.document, o.tab, o.delivery_method, o.deadline_at, m.timezone'

/**
 * Orders of all merchants, or of one, as JSON text: merchant by merchant, each in the order of submission, which is one
 * range of one index. The text has the limit, so that the planner sees it; the caller's own ends the reading.
 */
export async function listOrdersOfMarketplace(db: Database, query: MarketplaceOrderQuery): Promise<string> {
  const { merchant, ref, cursor, limit = mostOrdersAtOnce } = query
  const rows =
    ref === undefined
      ? await listRows(db, merchant, { after: readCursor(cursor), limit: limit + 1 })
      : await findRows(db, merchant, { ref, after: readCursor(cursor), limit: limit + 1 })
  const listed = rows.slice(0, limit)
  const last = rows.length > limit ? listed.at(-1) : undefined
  const nowMs = db.clock.nowMs()
  const texts = listed.map(
    (row) => `{"merchant":${JSON.stringify(row.merchant_id)},${toText(row, nowMs).slice(1)}`,
  )
  return `{"orders":[${texts.join(',')}],"next_cursor":${JSON.stringify(last === undefined ? null : writeCursor(last))}}`
}

interface Part {
  readonly after: Cursor
  readonly limit: number
}

/** The orders of a merchant in another cell are listed there. */
const isHere = `m.merchant_id <> all (array(select merchant_id from merchant_moves where state in ('moved', 'arriving')))`

async function listRows(db: Database, merchant: string | undefined, { after, limit }: Part) {
  const ofOne = merchant === undefined ? '' : 'and o.merchant_id = $5'
  return db.systemView<ListedRow>(
    `select * from (
       select ${columns} from orders o join merchants m using (merchant_id)
       where (o.merchant_id, o.submitted_at, o.order_id) > ($1, $2, $3) and ${isHere} ${ofOne}
       order by o.merchant_id, o.submitted_at, o.order_id limit ${mostOrdersAtOnce + 1}
     ) page limit $4`,
    [...after, limit, ...(merchant === undefined ? [] : [merchant])],
  )
}

/** A reference is unique within a merchant, so each merchant is looked up by its own key. */
async function findRows(
  db: Database,
  merchant: string | undefined,
  { ref, after, limit }: Part & { readonly ref: string },
) {
  return db.systemView<ListedRow>(
    `select ${columns} from merchants m cross join lateral (
       select * from orders where merchant_id = m.merchant_id and order_key = $1 limit 1
     ) o
     where ($2::text is null or m.merchant_id = $2) and m.merchant_id > $3 and ${isHere}
     order by m.merchant_id limit $4`,
    [ref, merchant ?? null, after[0], limit],
  )
}

function writeCursor({ merchant_id, submitted_at, order_id }: ListedRow): string {
  return Buffer.from(JSON.stringify([merchant_id, submitted_at.toISOString(), order_id])).toString(
    'base64url',
  )
}

function readCursor(text: string | undefined): Cursor {
  if (text === undefined) return beginning
  const wrong = () =>
    refuse('validation_failed', { errors: { cursor: 'Must be the next_cursor of an answer' } })
  let place: unknown
  try {
    place = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return wrong()
  }
  if (!Array.isArray(place) || place.length !== 3) return wrong()
  const [merchant, at, id] = place as unknown[]
  const isPlace =
    typeof merchant === 'string' &&
    typeof id === 'string' &&
    typeof at === 'string' &&
    /^[A-Za-z0-9_-]{1,64}$/.test(merchant) &&
    /^\d{1,18}$/.test(id) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) &&
    isRealTimestamp(at)
  return isPlace ? [merchant, at, id] : wrong()
}
