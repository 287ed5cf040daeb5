-- A wanted text of several lines is of pieces that follow each other within one line of the searched text, with anything
-- between them: "maria" and "cruz" are a name such as Maria Elena de la Cruz. The recipient's and the customer's names
-- are lines of their own, so the pieces of one never meet those of the other. A text of one line is looked for as before.
create function pattern_of(wanted text) returns text
  language sql immutable parallel safe strict
  set search_path = pg_catalog
  as $$ select '%' || replace(replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_'), E'\n', '%') || '%' $$;

create function has_line_like(searched text, pattern text) returns boolean
  language sql immutable parallel safe strict
  set search_path = pg_catalog
  as $$ select exists (select from unnest(string_to_array(searched, E'\n')) line where line like pattern) $$;

-- The parts of each piece that stand side by side, and its last: as telling as all of them, and fewer to look up.
create function parts_of(wanted text) returns text[]
  language sql immutable parallel safe strict
  set search_path = pg_catalog
  as $$
    select array(
      select substr(piece, least(place, length(piece) - 2), 3)
      from unnest(string_to_array(wanted, E'\n')) piece, generate_series(1, length(piece), 3) place
      where length(piece) >= 3)
  $$;

create or replace function orders_with_parts(wanted_merchant text, in_column text, wanted text)
  returns bigint
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
as $$
  select (min(coalesce(known.share, 0)) * greatest((select reltuples from pg_class where oid = 'order_search'::regclass), 0))::bigint
  from unnest(parts_of(wanted)) part
  left join (
    select element, share from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) known (element, share)
    where schemaname = 'public'
      and tablename = case in_column when 'names' then 'order_search_name_parts' else 'order_search_email_parts' end
  ) known on known.element = wanted_merchant || ' ' || part
$$;

create or replace function find_orders_by_parts(wanted_merchant text, in_column text, wanted text, how_many integer)
  returns setof text
  language plpgsql stable
  set search_path = pg_catalog, public
as $$
declare
  parts constant text[] := parts_of(wanted);
  pattern constant text := pattern_of(wanted);
  has_pieces constant boolean := position(E'\n' in wanted) > 0;
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
      select order_id from alike where merchant_id = wanted_merchant and case when has_pieces then has_line_like(searched, pattern) else position(wanted in searched) > 0 end
      order by submitted_at desc, order_id desc limit how_many;
  else
    return query
      with alike as materialized (
        select merchant_id, order_id, submitted_at, email as searched from order_search
        where search_parts(merchant_id, email) collate "C" @> keys
      )
      select order_id from alike where merchant_id = wanted_merchant and case when has_pieces then has_line_like(searched, pattern) else position(wanted in searched) > 0 end
      order by submitted_at desc, order_id desc limit how_many;
  end if;
end
$$;

create or replace function find_orders_by_text(wanted_merchant text, in_column text, wanted text, how_many integer)
  returns setof text
  language plpgsql stable security definer
  set search_path = pg_catalog, public
as $$
declare
  furthest constant integer := 20000;
  pattern constant text := pattern_of(wanted);
  has_pieces constant boolean := position(E'\n' in wanted) > 0;
  has_parts constant boolean := parts_of(wanted) <> '{}';
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
      where searched like pattern and (not has_pieces or has_line_like(searched, pattern)) order by submitted_at desc, order_id desc limit how_many - cardinality(hits));
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

revoke execute on function pattern_of(text), has_line_like(text, text), parts_of(text) from public;
grant execute on function pattern_of(text), has_line_like(text, text), parts_of(text) to cellarhand_system;

-- Each kind of apostrophe is now kept as the one of the keyboard. Few names have another one: the statement reads the
-- table once and writes those few. It looks for the signs only in texts that have more bytes than characters, or a
-- backtick, so that a million orders take two seconds.
update order_search set names = translate(names, U&'\2019\2018\201B\02BB\02BC\02BD\2032`', repeat('''', 8)),
    email = translate(email, U&'\2019\2018\201B\02BB\02BC\02BD\2032`', repeat('''', 8))
  where (octet_length(names) + octet_length(email) <> length(names) + length(email) or position('`' in names || email) > 0)
    and names || email ~ U&'[\2019\2018\201B\02BB\02BC\02BD\2032`]';
