-- The parts carry their merchant, so their index alone finds the hits. With the merchant as a condition beside it, the
-- plan also walked all of the merchant's orders in another index; here it only sorts out whose key looks alike
-- ("a b" with the part "cde", and "a" with "b cde").
create or replace function find_orders_by_parts(wanted_merchant text, in_column text, wanted text, how_many integer)
  returns setof text
  language plpgsql stable
  set search_path = pg_catalog, public
as $$
declare
  -- Parts that stand side by side, and the last: as telling as all of them, and fewer to look up.
  parts constant text[] := array(
    select substr(wanted, least(place, length(wanted) - 2), 3) from generate_series(1, length(wanted), 3) place);
  newest constant text[] := array(
    select case in_column when 'names' then names else email end from order_search
    where merchant_id = wanted_merchant order by submitted_at desc, order_id desc limit 50);
  telling constant text[] := array(
    select part from unnest(parts) part
    where (select count(*) from unnest(newest) searched where position(part in searched) > 0) <= 5);
  keys constant text[] := array(
    select wanted_merchant || ' ' || part from unnest(case when telling = '{}' then parts else telling end) part);
begin
  if in_column = 'names' then
    return query
      with alike as materialized (
        select merchant_id, order_id, submitted_at, names as searched from order_search
        where search_parts(merchant_id, names) collate "C" @> keys
      )
      select order_id from alike where merchant_id = wanted_merchant and position(wanted in searched) > 0
      order by submitted_at desc, order_id desc limit how_many;
  else
    return query
      with alike as materialized (
        select merchant_id, order_id, submitted_at, email as searched from order_search
        where search_parts(merchant_id, email) collate "C" @> keys
      )
      select order_id from alike where merchant_id = wanted_merchant and position(wanted in searched) > 0
      order by submitted_at desc, order_id desc limit how_many;
  end if;
end
$$;
