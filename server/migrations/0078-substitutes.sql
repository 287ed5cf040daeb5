-- How long a customer may think about substitutes, and what silence means. A shop without a row has the usual settings.
create table substitute_settings (
  merchant_id text not null primary key,
  minutes integer not null,
  silence text not null
);
-- What customers are asked about missing pieces. The order's document has the same offer as long as it is on hold; the
-- row outlives it for the customer's page. `offer` is JSON of the contract's offer as it was made.
create table substitute_offers (
  merchant_id text not null,
  offer_id text collate "C" not null,
  order_id text collate "C" not null,
  offer text not null,
  -- As in the contract, or `over` when the order went on or ended before an answer.
  state text not null,
  choice text,
  until_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  -- The message left: only then does silence count.
  told_at timestamptz(3),
  -- Of a text message that waits to be sent.
  number text,
  email text,
  text_due_at timestamptz(3),
  attempts integer not null default 0,
  error text,
  primary key (merchant_id, offer_id)
);
-- The customer's page knows the offer alone. No unique index, because tables are distributed by merchant.
create index substitute_offers_by_id on substitute_offers (offer_id);
create index substitute_offers_open on substitute_offers (until_at) where state = 'offered';
create index substitute_offers_to_tell on substitute_offers (text_due_at) where text_due_at is not null;
create index substitute_offers_by_age on substitute_offers (created_at);

do $$
declare name text;
begin
  foreach name in array array['substitute_settings', 'substitute_offers'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_merchant on %I to cellarhand_app using (merchant_id = (select current_merchant()))', name);
    execute format('create policy everything on %I to cellarhand_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cellarhand_system', name);
  end loop;
end
$$;
grant select, insert, update on substitute_settings, substitute_offers to cellarhand_app;
