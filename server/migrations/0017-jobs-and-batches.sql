-- Work that outlives the request that asked for it, and the process that began it.
create table jobs (
  merchant_id text not null references merchants,
  job_id text not null,
  kind text not null,
  payload json not null,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Counts the takings. Whoever took a job writes only while the number is still theirs.
  fence bigint not null default 0,
  error text,
  created_at timestamptz not null default now(),
  primary key (merchant_id, job_id)
);
create index jobs_due on jobs (due_at);

alter table jobs enable row level security;
alter table jobs force row level security;
create policy own_merchant on jobs to cellarhand_app using (merchant_id = (select current_merchant())) with check (merchant_id = (select current_merchant()));
create policy everything on jobs to cellarhand_system using (true) with check (true);
grant select, insert, update on jobs to cellarhand_app;
grant select, insert, update, delete on jobs to cellarhand_system;

-- Exports and prints of many orders at once.
create table batches (
  merchant_id text not null references merchants,
  batch_id text not null,
  report_types text[] not null,
  requested_by text not null,
  base_url text not null,
  total_count integer not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  mailed_at timestamptz,
  -- The names of the files, by what is in them.
  files json not null default '{}',
  primary key (merchant_id, batch_id)
);
create index batches_by_age on batches (created_at);

alter table batches enable row level security;
alter table batches force row level security;
create policy own_merchant on batches to cellarhand_app using (merchant_id = (select current_merchant())) with check (merchant_id = (select current_merchant()));
create policy everything on batches to cellarhand_system using (true) with check (true);
grant select, insert on batches to cellarhand_app;
grant select, insert, update, delete on batches to cellarhand_system;

create table batch_orders (
  merchant_id text not null,
  batch_id text not null,
  position integer not null,
  -- As it was asked for; an order's number, or its reference.
  asked text not null,
  order_id text,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  error text,
  -- Whether this batch has marked the order as printed, and when it had been before.
  is_marked boolean not null default false,
  first_printed_at text,
  primary key (merchant_id, batch_id, position),
  foreign key (merchant_id, batch_id) references batches on delete cascade
);
alter table batch_orders enable row level security;
alter table batch_orders force row level security;
create policy own_merchant on batch_orders to cellarhand_app using (merchant_id = (select current_merchant())) with check (merchant_id = (select current_merchant()));
create policy everything on batch_orders to cellarhand_system using (true) with check (true);
grant select, insert, update on batch_orders to cellarhand_app;
grant select, insert, update, delete on batch_orders to cellarhand_system;

-- Papers of a batch until they are put together.
create table batch_papers (
  merchant_id text not null,
  batch_id text not null,
  position integer not null,
  report_type text not null,
  bytes bytea not null,
  primary key (merchant_id, batch_id, position, report_type),
  foreign key (merchant_id, batch_id) references batches on delete cascade
);
alter table batch_papers enable row level security;
alter table batch_papers force row level security;
create policy own_merchant on batch_papers to cellarhand_app using (merchant_id = (select current_merchant())) with check (merchant_id = (select current_merchant()));
create policy everything on batch_papers to cellarhand_system using (true) with check (true);
grant select, insert on batch_papers to cellarhand_app;
grant select, insert, update, delete on batch_papers to cellarhand_system;
