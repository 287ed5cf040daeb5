-- The version that the next change of an order has at the least. A restore sets it beyond all that were ever told.
alter table merchants add column least_version integer not null default 1;
