-- Where a link to set a password was asked for, as a digest; null for an invitation. Asking again ends the earlier
-- links of the same network alone, so that nobody else can spoil the link that its owner waits for.
alter table one_time_tokens add column asked_from text;
