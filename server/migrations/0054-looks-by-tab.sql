-- The orders of a tab that need a look, in the order of the list: few among all that the tab has ever held.
create index orders_looks_by_tab on orders (merchant_id, tab, submitted_at, order_id) where needs_look;
