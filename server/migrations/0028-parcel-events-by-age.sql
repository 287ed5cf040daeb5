-- Parcels' events are kept with all others from now on, which are deleted by age. provider_events itself goes one
-- release later: a server of the release before still writes to it.
insert into received_events (provider, event_id, received_at)
  select provider, event_id, received_at from provider_events where received_at > now() - interval '30 days'
  on conflict do nothing;
delete from provider_events;
