-- A name such as "Dee " with "Nakamura" was kept with two spaces, and no screen shows the second one. Names and e-mails
-- are now compared with one space between words, one kind of hyphen and no sign without a width. This is what
-- `searchable-text.ts` adds to the form of older rows: their letters are plain, and spaces or commas at an end hide nothing.
-- Control characters by number: for PostgreSQL 15, E'\v' is the letter v.
create function with_plain_spaces(kept text) returns text
  language sql immutable strict
  set search_path = pg_catalog
  as $$
    select regexp_replace(
      translate(
        regexp_replace(kept, U&'[\00AD\200B-\200F\202A-\202E\2060-\2069\FEFF]', '', 'g'),
        U&'\2010\2011\2012\2013\2014\2015\2212\1680\2028\2029\0009\000B\000C\000D',
        '-------       '),
      ' {2,}', ' ', 'g')
  $$;

-- The statement reads the table once, as that of 0103 does, and writes the few rows that have such a sign: two seconds
-- for a million orders, and one more for each thousand rows that it writes. It locks only these rows, which no step of
-- their order writes, so the shops go on meanwhile.
update order_search set names = with_plain_spaces(names), email = with_plain_spaces(email)
  where names || email ~ U&'  |[\0009\000B\000C\000D]'
    or (octet_length(names) + octet_length(email) <> length(names) + length(email)
      and names || email ~ U&'[\2010-\2015\2212\1680\2028\2029\00AD\200B-\200F\202A-\202E\2060-\2069\FEFF]');

drop function with_plain_spaces(text);
