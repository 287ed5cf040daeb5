-- The address that the labels were asked for, as text: the order's own may be corrected before they are bought.
-- Null in purchases of earlier releases.
alter table label_purchases add column sent_to text;
-- What the boxes cost together, by the quotes that were bought.
alter table label_purchases add column price_cents integer;
grant update (price_cents) on label_purchases to cellarhand_app;
