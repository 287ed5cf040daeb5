-- The hits of a text are found by the parts of it that tell most: one that half of the orders have (the "cus" and "tom"
-- of customer1@…) costs as much to look up as it has orders, and excludes none. The newest fifty tell which those are.
create function find_orders_by_parts(wanted_merchant text, in_column text, wanted text, how_many integer)
  returns setof text
  language plpgsql stable
  set search_path = pg_catalog, public
as $$
declare
  pattern constant text := '%' || replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_') || '%';
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
      with matching as materialized (
        select order_id, submitted_at from order_search
        where search_parts(merchant_id, names) collate "C" @> keys and merchant_id = wanted_merchant and names like pattern
      )
      select order_id from matching order by submitted_at desc, order_id desc limit how_many;
  else
    return query
      with matching as materialized (
        select order_id, submitted_at from order_search
        where search_parts(merchant_id, email) collate "C" @> keys and merchant_id = wanted_merchant and email like pattern
      )
      select order_id from matching order by submitted_at desc, order_id desc limit how_many;
  end if;
end
$$;

-- A common text is found soon when the newest orders are looked through one by one; a rare one has few matches, which
-- its parts find at once. After each stretch, what was found so far tells which of the two is likely less work; the
-- next stretch begins at the last hit. The plans are kept, since planning took longer than most searches.
create or replace function find_orders_by_text(wanted_merchant text, in_column text, wanted text, how_many integer)
  returns setof text
  language plpgsql stable security definer
  set search_path = pg_catalog, public
as $$
declare
  furthest constant integer := 20000;
  pattern constant text := '%' || replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  has_parts constant boolean := length(wanted) >= 3;
  stretch integer := 1000;
  looked integer := 0;
  hits text[] := '{}';
  n integer;
  last_at timestamptz := 'infinity';
  rows_to_go bigint;
begin
  if wanted_merchant is distinct from current_setting('app.merchant', true) then
    raise exception 'a search must stay within its own merchant';
  end if;
  if in_column not in ('names', 'email') then
    raise exception 'there is no search in %', in_column;
  end if;
  loop
    hits := hits || array(
      select order_id from (
        select order_id, submitted_at, case in_column when 'names' then names else email end as searched from order_search
        where merchant_id = wanted_merchant and (submitted_at, order_id) < (last_at, coalesce(hits[n], ''))
        order by submitted_at desc, order_id desc limit stretch
      ) next
      where searched like pattern order by submitted_at desc, order_id desc limit how_many - cardinality(hits));
    n := cardinality(hits);
    looked := looked + stretch;
    if n >= how_many or (looked >= furthest and not has_parts) then
      return query select unnest(hits);
      return;
    end if;
    rows_to_go := case when n = 0 then furthest else (how_many - n)::bigint * looked / n end;
    -- An order that its parts find costs about four that are looked through; few merchants have more than 100,000.
    exit when has_parts and (looked >= furthest or rows_to_go > 1000 + 400000::bigint * n / looked);
    if n > 0 then
      last_at := (select submitted_at from order_search where merchant_id = wanted_merchant and order_id = hits[n]);
    end if;
    stretch := least(furthest, greatest(4000, 2 * rows_to_go));
  end loop;
  return query select find_orders_by_parts(wanted_merchant, in_column, wanted, how_many);
end
$$;

revoke execute on function find_orders_by_parts(text, text, text, integer) from public;
grant execute on function find_orders_by_parts(text, text, text, integer) to cellarhand_system;
