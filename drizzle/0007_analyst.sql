-- The role that may read schema analytics and nothing else. Roles belong to the whole server, so another
-- database of it may have made this one already; where the user may not make roles, the rest goes on without.
do $$
begin
  begin
    create role kurabe_analyst nologin;
    comment on role kurabe_analyst is 'Reads schema analytics of Kurabe and nothing else';
    alter role kurabe_analyst connection limit 20;
    alter role kurabe_analyst set statement_timeout = '30s';
    alter role kurabe_analyst set idle_in_transaction_session_timeout = '60s';
    alter role kurabe_analyst set default_transaction_read_only = on;
    alter role kurabe_analyst set search_path = analytics;
  exception
    when duplicate_object or unique_violation then null;
    when insufficient_privilege then
      raise notice 'role kurabe_analyst was not made: % may not create roles', current_user;
  end;
  if exists (select from pg_roles where rolname = 'kurabe_analyst') then
    grant usage on schema analytics to kurabe_analyst;
    grant select on all tables in schema analytics to kurabe_analyst;
    grant execute on all functions in schema analytics to kurabe_analyst;
    alter default privileges in schema analytics grant select on tables to kurabe_analyst;
    alter default privileges in schema analytics grant execute on functions to kurabe_analyst;
  end if;
end $$;
--> statement-breakpoint
revoke execute on all functions in schema analytics from public;
--> statement-breakpoint
-- Nor on what later migrations bring: a function is open to everybody unless this is said.
alter default privileges revoke execute on functions from public;
--> statement-breakpoint
-- A superuser can also take from everybody what would let a reader write or get in the crawler's way: large
-- objects and advisory locks. Elsewhere only default_transaction_read_only stands before them.
do $$
declare
  f regprocedure;
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then return; end if;
  for f in
    select oid::regprocedure from pg_proc where pronamespace = 'pg_catalog'::regnamespace
      and (proname ~ '^lo_' or proname in ('lowrite', 'loread') or proname ~ '^pg_(try_)?advisory_')
  loop
    execute format('revoke execute on function %s from public', f);
  end loop;
end $$;
