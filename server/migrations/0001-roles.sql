-- Two roles that nobody signs in as; connections take one on with `role=`. Neither owns a table nor bypasses
-- row-level security. cellarhand_app sees one merchant at a time (the setting app.merchant); cellarhand_system
-- runs what belongs to no merchant: sign-in, publishing, clean-up.
do $$
begin
  perform pg_advisory_xact_lock(hashtext('cellarhand_roles'));
  if not exists (select from pg_roles where rolname = 'cellarhand_app') then
    create role cellarhand_app nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'cellarhand_system') then
    create role cellarhand_system nologin;
  end if;
  -- Where an administrator made and granted the roles, this user may not grant them once more, and need not.
  if not (pg_has_role(current_user, 'cellarhand_app', 'member') and pg_has_role(current_user, 'cellarhand_system', 'member')) then
    execute format('grant cellarhand_app, cellarhand_system to %I', current_user);
  end if;
end
$$;

create extension if not exists pg_trgm;

-- The subselect makes the planner see an unknown value instead of guessing from an unset setting.
create function current_merchant() returns text
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.merchant', true), '') $$;
