-- When the request last left: a service that does not know it soon afterwards may still be taking it.
alter table courier_deliveries add column tried_at timestamptz;
