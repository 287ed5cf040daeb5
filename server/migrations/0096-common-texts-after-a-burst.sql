-- Many orders of a large merchant may have a text that none of the newest thousand has, as after a burst of orders of
-- one kind. Its parts then lead to so many orders that the search ends at its time limit (ten million orders, 200 new
-- ones a second). What the database knows of its index tells how many orders the parts lead to. If those are many, the
-- text is looked for from the newest order on, as far as that can cost less. The function runs as the owner of the
-- index, who alone sees what is known of it.
create function orders_with_parts(wanted_merchant text, in_column text, wanted text)
  returns bigint
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
as $$
  select (min(coalesce(known.share, 0)) * greatest((select reltuples from pg_class where oid = 'order_search'::regclass), 0))::bigint
  from generate_series(1, length(wanted), 3) place
  left join (
    select element, share from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) known (element, share)
    where schemaname = 'public'
      and tablename = case in_column when 'names' then 'order_search_name_parts' else 'order_search_email_parts' end
  ) known on known.element = wanted_merchant || ' ' || substr(wanted, least(place, length(wanted) - 2), 3)
$$;

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
  -- The stretch begins after this row.
  last_at timestamptz := 'infinity';
  last_id text := '';
  with_parts bigint;
  few constant bigint := 20000;
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
        where merchant_id = wanted_merchant and (submitted_at, order_id) < (last_at, last_id)
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
    if has_parts and (with_parts > few or looked >= furthest or rows_to_go > 1000 + 400000::bigint * n / looked) then
      with_parts := coalesce(with_parts, orders_with_parts(wanted_merchant, in_column, wanted));
      exit when with_parts <= few or looked >= 4 * with_parts or (n > 0 and rows_to_go > 4 * with_parts);
    end if;
    if with_parts > few then
      select submitted_at, order_id into last_at, last_id from order_search
      where merchant_id = wanted_merchant and (submitted_at, order_id) < (last_at, last_id)
      order by submitted_at desc, order_id desc offset stretch - 1 limit 1;
      if not found then
        return query select unnest(hits);
        return;
      end if;
    elsif n > 0 then
      last_at := (select submitted_at from order_search where merchant_id = wanted_merchant and order_id = hits[n]);
      last_id := hits[n];
    end if;
    stretch := least(furthest, greatest(4000, 2 * rows_to_go));
  end loop;
  return query select find_orders_by_parts(wanted_merchant, in_column, wanted, how_many);
end
$$;

revoke execute on function orders_with_parts(text, text, text) from public;
grant execute on function orders_with_parts(text, text, text) to cellarhand_system;
