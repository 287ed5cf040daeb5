-- What a merchant sells, as its stock list says. Only the import writes here.
create table offerings (
  merchant_id text not null references merchants,
  offering_id text collate "C" not null,
  product_id text collate "C",
  product_name text,
  brand text,
  container_size text,
  merchant_sku text,
  price_cents bigint not null,
  quantity integer not null,
  is_active boolean not null,
  is_selling boolean not null,
  stock_behavior text,
  updated_at timestamptz not null default now(),
  primary key (merchant_id, offering_id)
);
create index offerings_of_product on offerings (merchant_id, product_id);

alter table offerings enable row level security;
alter table offerings force row level security;
create policy own_merchant on offerings to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on offerings to cellarhand_system using (true) with check (true);
grant select on offerings to cellarhand_app;
grant select, insert, update, delete on offerings to cellarhand_system;
