-- Since when it is known that whoever has the account also has its mailbox: a link that was mailed there was followed,
-- or the operator or an owner made the account. Null after a sign-up and after a change of the e-mail.
alter table users add column email_proven_at timestamptz default now();
update users set email_proven_at = null where terms_accepted_at is not null and merchant_id is null;

-- Networks from which somebody has signed in before, as digests: attempts from elsewhere do not lock them out there.
create table known_networks (
  user_id text not null references users on delete cascade,
  network_hash text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
create index known_networks_by_age on known_networks (seen_at);
grant select, insert, update, delete on known_networks to cellarhand_system;
