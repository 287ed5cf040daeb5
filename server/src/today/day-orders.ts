/**
 * The orders received in a day, each with the outcome of its history: $1 merchant, $2 first moment, $3 first moment
 * after it, $4 now. It reads a range of `orders_of_all_tabs` and of each order its own rows of the history, so the
 * work follows the orders of that day and not those of the shop.
 *
 * A local order is done when it is delivered, a parcel when the carrier has it, as in the on-track badge.
 */
export const dayOrders = `
  with steps as (
    select o.order_id, o.submitted_at, o.deadline_at, o.status, o.tab,
      o.delivery_method in ('on_demand', 'scheduled') as is_local, h.*
    from orders o cross join lateral (
      select
        min(at) filter (where action = 'accept') as accepted_at,
        max(at) filter (where to_status = 'MERCHANT_SHIPPED' and from_status <> to_status) as out_at,
        coalesce(max(version) filter (where to_status = 'MERCHANT_SHIPPED' and from_status <> to_status), 0) as out_version,
        coalesce(max(version) filter (where action in ('bring_back', 'courier_bring_back', 'void_labels')
          and from_status = 'MERCHANT_SHIPPED' and to_status <> from_status), 0) as back_version,
        max(at) filter (where from_status = 'MERCHANT_SHIPPED' and to_status in ('CLOSED', 'DISPUTED')) as closed_at,
        count(*) filter (where action = 'reject') as rejections,
        count(*) filter (where action = 'cancel') as cancellations,
        count(*) filter (where action in ('bring_back', 'courier_bring_back'))::int as returns,
        count(*) filter (where action = 'request_courier')::int as couriers,
        count(*) filter (where action in ('courier_fail', 'cancel_courier', 'courier_bring_back'))::int as lost_couriers,
        count(*) filter (where action = 'label_failed')::int as failed_labels,
        count(*) filter (where action in ('decline_payment', 'report_items', 'reject_partly')) as holds,
        min(version) filter (where action in ('accept', 'reject') and actor_kind = 'merchant') as decision
      from order_history
      where merchant_id = $1 and order_id = o.order_id
    ) h
    where o.merchant_id = $1 and o.submitted_at >= $2 and o.submitted_at < $3
  ), ends as (
    select *,
      floor(extract(epoch from submitted_at - $2) / 3600)::int as hour,
      case when out_version > back_version then out_at end as handed_at,
      case when is_local then closed_at when out_version > back_version then out_at end as done_at,
      case
        when status = 'MERCHANT_REJECTED' or (status = 'REFUNDED' and rejections > 0) then 'rejected'
        when status = 'CANCELLED' or (status = 'REFUNDED' and cancellations > 0) then 'cancelled'
        when status = 'SUBMITTED' then 'waiting'
        when status = 'REJECTED_PARTIAL' then 'held'
        else 'accepted'
      end as outcome
    from steps
  ), day as materialized (
    select *,
      tab = 'active' as is_open,
      outcome not in ('rejected', 'cancelled')
        and coalesce(done_at, case when tab = 'active' then $4::timestamptz end, '-infinity') > deadline_at as is_late
    from ends
  )`
