-- What the banner of every dashboard says. It belongs to no merchant; a document without a row is not published.
create table documents (
  name text primary key,
  notification_text text not null,
  message text,
  modal_title text,
  notification_color text,
  published_at timestamptz not null default now()
);
grant select, insert, update, delete on documents to cellarhand_system;
