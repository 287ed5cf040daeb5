-- What the rules of law ask of a bottle; null is not known. A line that does not say takes it from here.
alter table offerings
  add column beverage_class text check (beverage_class in ('wine', 'beer', 'cider', 'spirits', 'other', 'none')),
  add column abv double precision check (abv between 0 and 100),
  add column volume_ml double precision check (volume_ml > 0 and volume_ml <= 1000000);
create index if not exists offerings_of_sku on offerings (merchant_id, merchant_sku);
