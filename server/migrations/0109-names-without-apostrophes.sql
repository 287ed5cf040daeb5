-- A clerk who hears a name types "ONeil", and many type no apostrophe at all. Names and e-mails are now compared without
-- one; older rows have the keyboard's kind alone (0103). The statement reads the table once and writes the rows that have
-- one: two seconds for a million orders, and one more for each thousand rows. No step of their order writes these rows.
update order_search set names = replace(names, '''', ''), email = replace(email, '''', '')
  where names || email like '%''%';
