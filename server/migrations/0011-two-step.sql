-- Two-step sign-in: the secret is sealed, an unconfirmed one counts for nothing, and a code's number is remembered so
-- that it is taken once.
alter table users
  add column two_step_secret_sealed text,
  add column two_step_confirmed_at timestamptz,
  add column two_step_last_counter bigint;
alter table merchants add column two_step_required boolean not null default false;

create table recovery_codes (
  code_hash text primary key,
  user_id text not null references users on delete cascade,
  used_at timestamptz
);
create index recovery_codes_of_user on recovery_codes (user_id);
grant select, insert, update, delete on recovery_codes to cellarhand_system;
