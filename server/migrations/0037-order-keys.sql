-- What somebody at the counter or on the phone says of an order instead of its number: the last four digits, a phone
-- number, a post code, a tracking number. Found by equality alone, so one B-tree does, and a change of an order touches
-- it only when one of them changes.
create table order_keys (
  merchant_id text not null,
  key text collate "C" not null,
  order_id text collate "C" not null,
  primary key (merchant_id, key, order_id)
);

insert into order_keys (merchant_id, key, order_id)
select distinct merchant_id, key, order_id
from orders cross join lateral (
  select right(order_id, 4)
  union all
  select regexp_replace(digits, '^1(\d{10})$', '\1') from (values
    (regexp_replace(document #>> '{recipient,phone_number}', '\D', '', 'g')),
    (regexp_replace(document #>> '{customer,phone_number}', '\D', '', 'g'))) phones (digits)
  union all
  select upper(regexp_replace(document #>> '{recipient,zipcode}', '[^0-9A-Za-z]', '', 'g'))
  union all
  select left(document #>> '{recipient,zipcode}', 5) where document #>> '{recipient,zipcode}' ~ '^\d{5}-?\d{4}$'
  union all
  select upper(regexp_replace(code, '[^0-9A-Za-z]', '', 'g')) from (
    select document ->> 'tracking_id'
    union all
    select parcel ->> 'tracking_code' from json_array_elements(coalesce(document -> 'shipment_info', '[]'::json)) parcel
  ) codes (code)
) keys (key)
where length(key) >= 4;

alter table order_keys enable row level security;
alter table order_keys force row level security;
create policy own_merchant on order_keys to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on order_keys to cellarhand_system using (true) with check (true);
grant select, insert, delete on order_keys to cellarhand_app;
grant select, insert, delete on order_keys to cellarhand_system;
