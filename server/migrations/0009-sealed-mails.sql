-- A mail holds a link that sets a password, so its text is kept sealed: a copy of the database lets nobody in.
-- The plain columns are no longer written.
alter table outgoing_mails add column letter_sealed text;
alter table outgoing_mails alter column body_text drop not null, alter column body_html drop not null;
