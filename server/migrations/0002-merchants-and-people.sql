create table merchants (
  merchant_id text primary key,
  name text not null,
  email text not null,
  primary_phone text not null,
  address json not null,
  contacts json not null,
  timezone text not null,
  merchant_account_id text,
  payment_set_up boolean not null default false,
  courier_pick_instructions text,
  created_at timestamptz not null default now()
);

create table users (
  user_id text primary key,
  merchant_id text references merchants,
  email text not null,
  email_key text not null unique,
  first_name text not null,
  last_name text not null,
  phone_number text,
  birthday date,
  password_hash text,
  roles text[] not null default '{}',
  terms_accepted_at timestamptz,
  created_at timestamptz not null default now(),
  last_login timestamptz
);
create index users_of_merchant on users (merchant_id, user_id);

-- One row per sign-in. A token names its row; ending the row ends the token at the next request.
create table sessions (
  session_id text primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
create index sessions_by_expiry on sessions (expires_at);

-- Links that sign somebody in or set a password: the token itself is never stored, only its SHA-256.
create table one_time_tokens (
  token_hash text primary key,
  purpose text not null,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_tokens_of_user on one_time_tokens (user_id, purpose);

create table rate_limits (
  limit_key text primary key,
  hits integer not null,
  resets_at timestamptz not null
);

alter table merchants enable row level security;
alter table merchants force row level security;
alter table users enable row level security;
alter table users force row level security;
create policy own_merchant on merchants to cellarhand_app using (merchant_id = (select current_merchant()));
create policy own_merchant on users to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on merchants to cellarhand_system using (true) with check (true);
create policy everything on users to cellarhand_system using (true) with check (true);
grant select, update on merchants to cellarhand_app;
grant select on users to cellarhand_app;
grant select, insert, update, delete on merchants, users, sessions, one_time_tokens, rate_limits to cellarhand_system;
