-- Events that concern the shop's own screens alone: no webhook and no list of events tells the marketplace of them.
alter table outbox add column if not exists is_internal boolean not null default false;
