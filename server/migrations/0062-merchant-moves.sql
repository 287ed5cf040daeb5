-- A merchant on its way from one cell to another (decision 0063). Without a row, the merchant works here as usual.
create table merchant_moves (
  merchant_id text primary key,
  -- settling: no background work begins; leaving: no change either; moved: it is at `moved_to`; arriving: not open yet.
  state text not null check (state in ('settling', 'leaving', 'moved', 'arriving')),
  -- Of settling and leaving: from then on the merchant is open again, whoever may have forgotten it.
  until timestamptz,
  -- The export that the move goes on with.
  export_id text,
  moved_to text,
  changed_at timestamptz not null default now()
);
alter table merchant_moves enable row level security;
alter table merchant_moves force row level security;
create policy own_merchant on merchant_moves to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on merchant_moves to cellarhand_system using (true) with check (true);
grant select on merchant_moves to cellarhand_app;
grant select, insert, update, delete on merchant_moves to cellarhand_system;

-- The merchants whose background work rests.
create function closed_merchants() returns text[]
  language sql stable security definer
  set search_path = pg_catalog, public
  as $$ select coalesce(array_agg(merchant_id), '{}') from merchant_moves where state in ('moved', 'arriving') or until > now() $$;

-- Every change of a merchant begins with this. The first change after the end of `until` opens the merchant again: it
-- takes the row away, so that no move can be finished any more that began before it.
create function require_open(wanted text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, public
as $$
declare
  found_move merchant_moves;
begin
  select * into found_move from merchant_moves where merchant_id = wanted and state <> 'settling';
  if not found then return; end if;
  if found_move.state = 'leaving' and found_move.until <= clock_timestamp() then
    delete from merchant_moves where merchant_id = wanted and state = 'leaving' and until <= clock_timestamp();
    if found then return; end if;
    select * into found_move from merchant_moves where merchant_id = wanted and state <> 'settling';
    if not found then return; end if;
  end if;
  if found_move.state = 'moved' then
    raise exception 'the merchant % has moved', wanted using errcode = 'CH308', detail = found_move.moved_to;
  end if;
  raise exception 'the merchant % is moving', wanted using errcode = 'CH503',
    detail = coalesce(least(30, greatest(1, ceil(extract(epoch from found_move.until - clock_timestamp()))))::int, 5)::text;
end
$$;

-- Callers know an order by its number alone, and a merchant that moved here has brought numbers along.
create function next_order_number() returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, public
as $$
declare
  number text;
begin
  loop
    number := nextval('order_numbers')::text;
    if not exists (select from orders where order_id = number) then return number; end if;
  end loop;
end
$$;

-- The system writes people's rows without being a merchant.
create function require_open_of_user() returns trigger
  language plpgsql
  set search_path = pg_catalog, public
as $$
begin
  if tg_op = 'UPDATE' and old.merchant_id is not null then perform require_open(old.merchant_id); end if;
  if new.merchant_id is not null then perform require_open(new.merchant_id); end if;
  return new;
end
$$;
create trigger users_of_open_merchants before insert or update on users
  for each row when (current_user = 'cellarhand_system') execute function require_open_of_user();

do $$
begin
  execute format('grant create on schema %I to cellarhand_system', current_schema());
  alter function closed_merchants() owner to cellarhand_system;
  alter function require_open(text) owner to cellarhand_system;
  alter function next_order_number() owner to cellarhand_system;
  execute format('revoke create on schema %I from cellarhand_system', current_schema());
end
$$;
revoke execute on function closed_merchants(), require_open(text), next_order_number() from public;
grant execute on function closed_merchants(), require_open(text), next_order_number() to cellarhand_app, cellarhand_system;
