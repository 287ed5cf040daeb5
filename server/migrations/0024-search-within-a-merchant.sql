-- A trigram index holds the texts of all merchants: a search in one of twenty reads twenty times what it wants. Here
-- the merchant is a part of each key, so a search reads its own merchant's and costs what it costs alone.
create function search_parts(merchant text, searched text) returns text[]
  language sql immutable parallel safe strict
  set search_path = pg_catalog
  as $$ select array(select merchant || ' ' || substr(searched, place, 3) from generate_series(1, length(searched) - 2) place) $$;

create index order_search_name_parts on order_search using gin ((search_parts(merchant_id, names)) collate "C") with (fastupdate = off);
create index order_search_email_parts on order_search using gin ((search_parts(merchant_id, email)) collate "C") with (fastupdate = off);
drop index order_search_names;
drop index order_search_email;

-- A common text is found soon when the newest orders are looked through one by one; a rare one has few matches, which
-- its parts find at once. How often it comes among the newest thousand tells which it is, and how far to look.
create or replace function find_orders_by_text(wanted_merchant text, in_column text, wanted text, how_many integer)
  returns setof text
  language plpgsql stable security definer
  set search_path = pg_catalog, public
as $$
declare
  furthest constant integer := 20000;
  common constant integer := 6;
  newest integer := 1000;
  has_parts constant boolean := length(wanted) >= 3;
  pattern constant text := '%' || replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  -- Parts that stand side by side, and the last: as telling as all of them, and fewer to look up.
  parts constant text[] := array(
    select wanted_merchant || ' ' || substr(wanted, least(place, length(wanted) - 2), 3)
    from generate_series(1, length(wanted), 3) place);
  hits text[];
begin
  if wanted_merchant is distinct from current_setting('app.merchant', true) then
    raise exception 'a search must stay within its own merchant';
  end if;
  if in_column not in ('names', 'email') then
    raise exception 'there is no search in %', in_column;
  end if;
  loop
    execute format(
      'select array(select order_id from (
         select order_id, submitted_at, %1$I as searched from order_search
         where merchant_id = $1 order by submitted_at desc, order_id desc limit $2
       ) recent where searched like $3 order by submitted_at desc, order_id desc limit $4)', in_column)
      into hits using wanted_merchant, newest, pattern, how_many;
    exit when cardinality(hits) >= how_many or newest = furthest or (has_parts and cardinality(hits) < common);
    newest := least(furthest, 2 * newest * (how_many::bigint / greatest(cardinality(hits), 1) + 1));
  end loop;
  if cardinality(hits) < how_many and has_parts then
    execute format(
      'with matching as materialized (
         select order_id, submitted_at from order_search
         where search_parts(merchant_id, %1$I) collate "C" @> $1 and merchant_id = $2 and %1$I like $3
       )
       select array(select order_id from matching order by submitted_at desc, order_id desc limit $4)', in_column)
      into hits using parts, wanted_merchant, pattern, how_many;
  end if;
  return query select unnest(hits);
end
$$;
