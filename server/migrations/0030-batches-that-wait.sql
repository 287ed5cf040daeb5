-- Of some orders of a batch nobody knows yet whether it was done, so they wait until that is found out. A server of the
-- release before takes them for waiting, which they are.
alter table batch_orders
  add column is_in_doubt boolean not null default false,
  -- How often nobody knew. What stays unknown again and again is not tried for ever.
  add column doubts integer not null default 0;
