-- Silence about an offer counts only once its mail has left, and has not come back.
alter table substitute_offers add column mail_id text collate "C";
