-- online
-- The account that pays for a call. A constant default is not written into the rows.
alter table api_call add column if not exists account text default 'default' not null;--> statement-breakpoint
alter table budget_day add column if not exists account text default 'default' not null;--> statement-breakpoint
alter table budget_day drop constraint budget_day_pkey;
alter table budget_day add constraint budget_day_pkey primary key (account, day);
create or replace view analytics.calls as
select c.id as call_id, c.day, c.purpose, c.operation, c.job, c.reserved_at as sent_at, c.finished_at,
  coalesce(c.outcome, 'unknown') as outcome, c.duration_ms,
  case when c.operation = 'refresh' then c.params ->> 'shop_id' end as shop_id,
  case when c.operation = 'search' then (
    select q.id from crawl_query q where q.q = c.params ->> 'q' and q.shop_id is not distinct from c.params ->> 'shopId'
  ) end as keyword_id,
  c.found, c.asked, c.returned, c.created, c.changed, c.unchanged, c.gone, c.quarantined, c.duplicates,
  coalesce(c.created, 0) + coalesce(c.changed, 0) + coalesce(c.gone, 0) as news, c.account
from api_call c;
create or replace view analytics.budget_days as
select b.day, b.limit_calls, b.used, b.discovery, b.revalidation, b.on_demand, b.refused_at,
  coalesce(c.answered, 0) as answered, coalesce(c.failed, 0) as failed, coalesce(c.unknown, 0) as unknown,
  coalesce(c.returned, 0) as returned, coalesce(c.created, 0) as created, coalesce(c.changed, 0) as changed,
  coalesce(c.unchanged, 0) as unchanged, coalesce(c.gone, 0) as gone,
  round((c.returned / (50.0 * nullif(c.answered, 0)))::numeric, 4)::float8 as fill,
  round(((c.created + c.changed + c.gone) / nullif(b.used, 0)::float8)::numeric, 4)::float8 as news_per_call
from (
  select day, sum(limit_calls)::integer as limit_calls, sum(used)::integer as used,
    sum(discovery)::integer as discovery, sum(revalidation)::integer as revalidation,
    sum(on_demand)::integer as on_demand,
    (case when bool_and(refused_at is not null) then max(refused_at) end)::timestamptz(3) as refused_at
  from budget_day group by day
) b left join (
  select day, sum(calls) filter (where outcome = 'ok') as answered,
    sum(calls) filter (where outcome not in ('ok', 'unknown')) as failed,
    sum(calls) filter (where outcome = 'unknown') as unknown, sum(returned) as returned, sum(created) as created,
    sum(changed) as changed, sum(unchanged) as unchanged, sum(gone) as gone
  from analytics.call_days group by day
) c using (day);
create view analytics.account_days as
select account, day, limit_calls, used, discovery, revalidation, on_demand, refused_at from budget_day;
comment on view analytics.budget_days is 'One row a day of the upstream''s calendar, all accounts together: what was allowed, spent and bought.';
comment on column analytics.budget_days.refused_at is 'When the upstream had closed the day of every account early; null when it did not.';
comment on column analytics.calls.account is 'The upstream account that paid for it; default: the one of the environment.';
comment on view analytics.account_days is 'One row an upstream account and day of its calendar: what was allowed and spent.';
comment on column analytics.account_days.account is 'Name of the account; default: the one of the environment.';
comment on column analytics.account_days.day is 'Day of the upstream''s calendar, in the zone of the account.';
comment on column analytics.account_days.limit_calls is 'Calls allowed.';
comment on column analytics.account_days.used is 'Calls counted; never above limit_calls. A call near the date change is counted in both days.';
comment on column analytics.account_days.discovery is 'Of these, for new products.';
comment on column analytics.account_days.revalidation is 'Of these, for known products.';
comment on column analytics.account_days.on_demand is 'Of these, asked for by users.';
comment on column analytics.account_days.refused_at is 'When the upstream closed the day early; null when it did not.';
