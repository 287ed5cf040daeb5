-- A digest of the signature in the customer's link: it opens the offer also after a move and under another SESSION_SECRET.
alter table substitute_offers add column link_hash text;
