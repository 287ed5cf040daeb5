-- The presses, each as its person and its key, that came while the message was on its way. Repeated, they are the same.
alter table text_messages add column joined text[] not null default '{}';
