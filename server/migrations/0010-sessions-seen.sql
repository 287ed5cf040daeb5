-- What a person sees of their own sessions: words such as "Firefox on Linux", and when it last began or was renewed.
alter table sessions add column device text, add column last_seen_at timestamptz not null default now();
