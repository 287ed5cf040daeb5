-- The inspector's file asks each order of some years for these few entries, and skips the many others of its history.
create index if not exists order_history_of_inspections on order_history (merchant_id, order_id, version)
  where action in ('pass_duty', 'bring_back', 'courier_bring_back');
