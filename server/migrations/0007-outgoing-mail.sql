-- Mails that were promised by a committed change. They leave after it, as often as it takes, and once.
create table outgoing_mails (
  mail_id text primary key,
  merchant_id text,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  error text
);
create index outgoing_mails_due on outgoing_mails (due_at) where sent_at is null and given_up_at is null;
create index outgoing_mails_by_age on outgoing_mails (created_at);
grant select, insert, update, delete on outgoing_mails to cellarhand_system;
alter table outgoing_mails enable row level security;
alter table outgoing_mails force row level security;
create policy everything on outgoing_mails to cellarhand_system using (true) with check (true);
