-- A name such as "Yan\n" with "Zhang" was kept in two lines, as if they were the names of two persons. No name begins with a
-- space, so a line that does is the rest of the one before. The statement reads the table once, as that of 0107 does, and
-- locks only the few rows that it writes.
update order_search set names = regexp_replace(names, E' ?\n ', ' ', 'g') where names like E'%\n %';
