import { isOpen } from '../db/closed-merchant.ts'

/** The order; an event without one is a subject of its own. Word for word as in the index `outbox_webhooks_of_order`. */
const subject = `coalesce(payload ->> 'id', event_id::text)`
/** The condition of both indexes (migration 0105). */
const waits = 'webhook_done_at is null and webhook_due_at is not null'
export const isDue = `${waits} and webhook_due_at <= now()`

/** Of each merchant; with the orders of these events a take is full, unless a few orders have them all. */
const longestDue = 25
/** Newest first: an order whose events wait for their next try for days is not among them. */
const newestOrders = 200
/** More than can have nothing but orders under way, so that a merchant with a free order is among them. */
const mostMerchants = 40

/**
 * Which events to send next: of each order the earliest that is due, and none while any process sends another one of
 * that order. Merchants come in turn, the one with the fewest under way first, and of a merchant the longest due.
 *
 * Neither an order nor a merchant may fill what is looked at, however many events it has: so each step from merchant to
 * merchant, and from order to order, is one look into an index. The orders of the rows, and the form of the last
 * condition, leave the planner only that index: it would expect less of another one that passes over thousands of rows.
 */
export function nextEvents(limit: number): string {
  return `with recursive busy as materialized (
    select merchant_id, ${subject} as subject from outbox where webhook_is_leased and webhook_due_at > now()
  ), merchants as (
    (select merchant_id, webhook_due_at from outbox
     where ${waits} and exists (select from outbox where ${isDue}) order by merchant_id, webhook_due_at, event_id limit 1)
    union all
    select next.merchant_id, next.webhook_due_at from merchants m cross join lateral (
      select merchant_id, webhook_due_at from outbox o where ${waits} and o.merchant_id > m.merchant_id
      order by o.merchant_id, webhook_due_at, event_id limit 1
    ) next
  ), fewest as materialized (
    select merchant_id, cardinality(array_positions(array(select merchant_id from busy), merchant_id)) as under_way
    from merchants m where webhook_due_at <= now() and ${isOpen('m.merchant_id')}
    order by under_way, webhook_due_at limit ${mostMerchants}
  ), turns as (
    select f.merchant_id, head.event_id, head.webhook_due_at,
      under_way + row_number() over (partition by f.merchant_id order by head.webhook_due_at, head.event_id) as turn
    from fewest f cross join lateral (${freeOrders(limit)}) free cross join lateral (
      select event_id, webhook_due_at from outbox o
      where ${waits} and o.merchant_id = f.merchant_id and ${subject} = free.subject and (webhook_due_at <= now()) is true
      order by event_id limit 1
    ) head
  )
  select merchant_id, event_id from turns order by turn, webhook_due_at, event_id limit ${limit}`
}

/** The orders of the merchant `f` that may be sent; beyond those of its longest due events only where those are few. */
function freeOrders(limit: number): string {
  const isFree = `not exists (select from busy b where b.merchant_id = f.merchant_id and b.subject = o.subject)`
  return `with recursive soonest as materialized (
      select ${subject} as subject from outbox o
      where ${isDue} and o.merchant_id = f.merchant_id order by webhook_due_at, event_id limit ${longestDue}
    ), free as materialized (
      select distinct subject from soonest o where ${isFree}
    ), newest as (
      (select ${subject} as subject from outbox o
       where ${waits} and o.merchant_id = f.merchant_id
         and (select count(*) from soonest) = ${longestDue} and (select count(*) from free) < ${limit}
       order by ${subject} desc limit 1)
      union all
      select (select ${subject} from outbox o where ${waits} and o.merchant_id = f.merchant_id and ${subject} < n.subject
              order by ${subject} desc limit 1)
      from newest n where n.subject is not null
    )
    select subject from free
    union
    select subject from (select subject from newest limit ${newestOrders}) o where subject is not null and ${isFree}`
}
