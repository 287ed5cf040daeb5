-- A change of an order promises a mail to the shop's owners in its own transaction (decision 0064).
create policy own_merchant on outgoing_mails for insert to cellarhand_app
  with check (merchant_id = (select current_merchant()));
grant insert on outgoing_mails to cellarhand_app;
