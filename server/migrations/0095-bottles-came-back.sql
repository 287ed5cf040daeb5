-- The day's figures name the orders whose bottles came back on that day, among the history of years. Of a large table
-- build it beforehand, concurrently and under this name.
create index if not exists order_history_of_returns on order_history (merchant_id, at, order_id)
  where action = 'came_back';
