-- "18 Elm": the number of the house and the first word of its street. An order on "120 West Broadway" is found by
-- "120 West" and by "120 Broadway". The same rule as `streetKeys`, for the orders that are there already.
with streets as (
  select merchant_id, order_id, regexp_split_to_array(btrim(regexp_replace(
    upper(regexp_replace(normalize(document #>> '{recipient,street_1}', NFD), '[\u0300-\u036f]', '', 'g')),
    '[^0-9A-Z]+', ' ', 'g')), ' ') as words
  from orders
), names as (
  select merchant_id, order_id, words[1] as house, word, place,
    word in ('N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW', 'NORTH', 'SOUTH', 'EAST', 'WEST') as is_direction
  from streets cross join lateral unnest(words[2:]) with ordinality as rest (word, place)
  where words[1] ~ '^[0-9]' and word ~ '[A-Z]'
), first_words as (
  select distinct on (merchant_id, order_id) merchant_id, order_id, house, word from names
  order by merchant_id, order_id, place
), first_names as (
  select distinct on (merchant_id, order_id) merchant_id, order_id, house, word from names where not is_direction
  order by merchant_id, order_id, place
)
insert into order_keys (merchant_id, key, order_id)
select merchant_id, house || ' ' || word, order_id
from (select * from first_words union select * from first_names) found
where length(house || ' ' || word) >= 4
on conflict do nothing;
