-- An invitation of a person who has an account of their own (decision 0032). It changes nothing of the account: the
-- person joins by the mailed link, whose digest alone is stored. The link names no merchant, so its index has none.
create table team_invitations (
  merchant_id text not null references merchants,
  invitation_id text not null,
  email text not null,
  email_key text not null,
  first_name text not null,
  last_name text not null,
  roles text[] not null,
  token_hash text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (merchant_id, invitation_id),
  unique (merchant_id, email_key)
);
create index team_invitations_link on team_invitations (token_hash);

alter table team_invitations enable row level security;
alter table team_invitations force row level security;
create policy own_merchant on team_invitations to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on team_invitations to cellarhand_system using (true) with check (true);
grant select on team_invitations to cellarhand_app;
grant select, insert, update, delete on team_invitations to cellarhand_system;
