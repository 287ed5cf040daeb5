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
  begin
    execute format('grant cellarhand_app, cellarhand_system to %I', current_user);
  exception when insufficient_privilege then
    -- An administrator made and granted the roles. Whether they may be taken on shows at the first connection;
    -- asking pg_has_role would not tell: from PostgreSQL 16 on, to be a member is not yet to be allowed that.
    null;
  end;
end
$$;

create extension if not exists pg_trgm;

-- The subselect makes the planner see an unknown value instead of guessing from an unset setting.
create function current_merchant() returns text
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.merchant', true), '') $$;
