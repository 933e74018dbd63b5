-- online
-- Sums over all shops, in millionths, kept like other counts: no reader adds up the shops. A value that is no
-- usable number counts 0 instead of failing the writer.
create or replace function millionths(x float8) returns bigint language sql immutable as $$
  select case when abs(x) < 1e12 then round(x * 1e6)::bigint else 0 end
$$;
--> statement-breakpoint
create or replace function shop_evidence() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into count_change (name, key, n) select 'shop_evidence', key, sum(n) from (
      select e.* from new_rows s, evidence_of(s.rate_changes, s.rate_days, s.losses, s.loss_days, s.bumped, s.silent) e) c
    group by 1, 2 having sum(n) <> 0;
  elsif tg_op = 'UPDATE' then
    insert into count_change (name, key, n) select 'shop_evidence', key, sum(n) from (
      select e.* from new_rows s, evidence_of(s.rate_changes, s.rate_days, s.losses, s.loss_days, s.bumped, s.silent) e
      union all
      select e.key, -e.n
      from old_rows s, evidence_of(s.rate_changes, s.rate_days, s.losses, s.loss_days, s.bumped, s.silent) e) c
    group by 1, 2 having sum(n) <> 0;
  else
    insert into count_change (name, key, n) select 'shop_evidence', key, -sum(n) from (
      select e.* from old_rows s, evidence_of(s.rate_changes, s.rate_days, s.losses, s.loss_days, s.bumped, s.silent) e) c
    group by 1, 2 having sum(n) <> 0;
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function evidence_of(rate_changes float8, rate_days float8, losses float8, loss_days float8,
  bumped float8, silent float8)
returns table (key text, n bigint) language sql immutable as $$
  values ('rate_changes', millionths(rate_changes)), ('rate_days', millionths(rate_days)),
    ('losses', millionths(losses)), ('loss_days', millionths(loss_days)),
    ('bumped', millionths(bumped)), ('silent', millionths(silent))
$$;
--> statement-breakpoint
-- One transaction: the triggers count what is written after this sum.
create trigger shop_evidence_inserted after insert on shop
  referencing new table as new_rows for each statement execute function shop_evidence();
create trigger shop_evidence_updated after update on shop
  referencing old table as old_rows new table as new_rows for each statement execute function shop_evidence();
create trigger shop_evidence_deleted after delete on shop
  referencing old table as old_rows for each statement execute function shop_evidence();
insert into kept_count (name, key, n)
select 'shop_evidence', key, sum(n) from (
  select e.* from shop s, evidence_of(s.rate_changes, s.rate_days, s.losses, s.loss_days, s.bumped, s.silent) e) c
group by 1, 2 having sum(n) <> 0;
