-- Row-level security would keep the trigram indexes from being used (their operators are not leakproof), so the
-- two substring searches run as the system role and carry the merchant themselves.
--
-- A common text is found at once among the newest orders; only a rare one, whose matches are few, needs the
-- trigram index. Either way the newest matches come first. `wanted` arrives folded as the column's text is.
create function find_orders_by_text(wanted_merchant text, in_column text, wanted text, how_many integer)
  returns setof text
  language plpgsql stable security definer
  set search_path = pg_catalog, public
as $$
declare
  newest constant integer := 2000;
  pattern constant text := '%' || replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  hits text[];
begin
  if wanted_merchant is distinct from current_setting('app.merchant', true) then
    raise exception 'a search must stay within its own merchant';
  end if;
  if in_column not in ('names', 'email') then
    raise exception 'there is no search in %', in_column;
  end if;
  execute format(
    'select array(select order_id from (
       select order_id, submitted_at, %1$I as searched from order_search
       where merchant_id = $1 order by submitted_at desc, order_id desc limit $2
     ) recent where searched like $3 order by submitted_at desc, order_id desc limit $4)', in_column)
    into hits using wanted_merchant, newest, pattern, how_many;
  if cardinality(hits) < how_many and length(wanted) >= 3 then
    execute format(
      'with matching as materialized (
         select order_id, submitted_at from order_search where merchant_id = $1 and %1$I like $2
       )
       select array(select order_id from matching order by submitted_at desc, order_id desc limit $3)', in_column)
      into hits using wanted_merchant, pattern, how_many;
  end if;
  return query select unnest(hits);
end
$$;

-- Which merchant an order belongs to, for callers that know only its number (the marketplace).
create function merchant_of_order(wanted_order text) returns text
  language sql stable security definer
  set search_path = pg_catalog, public
  as $$ select merchant_id from orders where order_id = wanted_order $$;

-- The owner of a SECURITY DEFINER function decides what it sees; taking it over needs CREATE for a moment.
do $$
begin
  execute format('grant create on schema %I to cellarhand_system', current_schema());
  alter function find_orders_by_text(text, text, text, integer) owner to cellarhand_system;
  alter function merchant_of_order(text) owner to cellarhand_system;
  execute format('revoke create on schema %I from cellarhand_system', current_schema());
end
$$;
revoke execute on function find_orders_by_text(text, text, text, integer), merchant_of_order(text) from public;
grant execute on function find_orders_by_text(text, text, text, integer), merchant_of_order(text) to cellarhand_app, cellarhand_system;
