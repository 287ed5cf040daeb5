import type { Database } from '#platform/db/database.ts'

/**
 * The minutes that a step takes after the one before, from and to. Without them every step of the demo would have
 * happened while it was made, and no figure of a day would mean anything.
 */
const minutesOf: Readonly<Record<string, readonly [least: number, most: number]>> = {
  submit: [0, 0],
  accept: [1, 8],
  reject: [2, 12],
  report_items: [3, 15],
  reject_partly: [3, 15],
  send_out: [12, 50],
  save_tracking: [30, 300],
  buy_labels: [30, 300],
  deliver: [10, 45],
  carrier_move: [300, 1500],
  carrier_fail: [1200, 2400],
  carrier_deliver: [1200, 3600],
}
const usual = [1, 20] as const
/** Every so manieth order waited before somebody accepted it. */
const slowEvery = 14
const slowMinutes = 55

/** Gives the steps of the demo's orders times between the order's own and the demo's. */
export async function setStepTimes(db: Database, now: Date): Promise<void> {
  const rows = Object.entries(minutesOf)
  await db.systemQuery(
    `with gaps as (
       select h.merchant_id, h.order_id, h.version, o.submitted_at,
         coalesce(step.least, $5) + abs(hashtext(h.order_id || h.action)) % 1000 / 1000.0 * (coalesce(step.most, $6) - coalesce(step.least, $5))
           + case when h.action = 'accept' and abs(hashtext(h.order_id)) % $7 = 0 then $8 else 0 end as minutes
       from order_history h join orders o using (merchant_id, order_id)
         left join unnest($2::text[], $3::float8[], $4::float8[]) as step (action, least, most) on step.action = h.action
     ), steps as (
       select *, sum(minutes) over (partition by merchant_id, order_id order by version) as after,
         sum(minutes) over (partition by merchant_id, order_id) as whole,
         extract(epoch from $1 - submitted_at) / 60 as age
       from gaps
     )
     update order_history h
     set at = s.submitted_at + s.after * least(1, 0.95 * s.age / nullif(s.whole, 0)) * interval '1 minute'
     from steps s
     where (h.merchant_id, h.order_id, h.version) = (s.merchant_id, s.order_id, s.version) and s.whole > 0`,
    [
      now,
      rows.map(([action]) => action),
      rows.map(([, [least]]) => least),
      rows.map(([, [, most]]) => most),
      usual[0],
      usual[1],
      slowEvery,
      slowMinutes,
    ],
  )
}
