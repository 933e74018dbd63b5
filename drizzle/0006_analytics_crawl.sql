-- What the crawl spends and gets, from the same rows that ops see.
create view analytics.calls as
select c.id as call_id, c.day, c.purpose, c.operation, c.job, c.reserved_at as sent_at, c.finished_at,
  coalesce(c.outcome, 'unknown') as outcome, c.duration_ms,
  case when c.operation = 'refresh' then c.params ->> 'shop_id' end as shop_id,
  case when c.operation = 'search' then (
    select q.id from crawl_query q where q.q = c.params ->> 'q' and q.shop_id is not distinct from c.params ->> 'shopId'
  ) end as keyword_id,
  c.found, c.asked, c.returned, c.created, c.changed, c.unchanged, c.gone, c.quarantined, c.duplicates,
  coalesce(c.created, 0) + coalesce(c.changed, 0) + coalesce(c.gone, 0) as news
from api_call c;
--> statement-breakpoint
create view analytics.call_days as
select day, purpose, operation, job, outcome, calls, asked, returned, created, changed, unchanged, gone,
  quarantined, duplicates, duration_ms
from call_day
union all
select day, purpose, operation, job, coalesce(outcome, 'unknown'), count(*)::integer, coalesce(sum(asked), 0),
  coalesce(sum(returned), 0), coalesce(sum(created), 0), coalesce(sum(changed), 0), coalesce(sum(unchanged), 0),
  coalesce(sum(gone), 0), coalesce(sum(quarantined), 0), coalesce(sum(duplicates), 0), coalesce(sum(duration_ms), 0)
from api_call where day > coalesce((select max(day) from call_day), '-infinity') group by 1, 2, 3, 4, 5;
--> statement-breakpoint
create view analytics.budget_days as
select b.day, b.limit_calls, b.used, b.discovery, b.revalidation, b.on_demand, b.refused_at,
  coalesce(c.answered, 0) as answered, coalesce(c.failed, 0) as failed, coalesce(c.unknown, 0) as unknown,
  coalesce(c.returned, 0) as returned, coalesce(c.created, 0) as created, coalesce(c.changed, 0) as changed,
  coalesce(c.unchanged, 0) as unchanged, coalesce(c.gone, 0) as gone,
  round((c.returned / (50.0 * nullif(c.answered, 0)))::numeric, 4)::float8 as fill,
  round(((c.created + c.changed + c.gone) / nullif(b.used, 0)::float8)::numeric, 4)::float8 as news_per_call
from budget_day b left join (
  select day, sum(calls) filter (where outcome = 'ok') as answered,
    sum(calls) filter (where outcome not in ('ok', 'unknown')) as failed,
    sum(calls) filter (where outcome = 'unknown') as unknown, sum(returned) as returned, sum(created) as created,
    sum(changed) as changed, sum(unchanged) as unchanged, sum(gone) as gone
  from analytics.call_days group by day
) c using (day);
--> statement-breakpoint
create view analytics.keyword_yield as
select q.id as keyword_id, q.q as keyword, q.shop_id, q.source, q.enabled, q.created_at, q.walked_at, q.head_at,
  q.feed_at, q.found, q.calls, q.items_seen, q.items_created,
  q.items_seen / nullif(q.calls, 0)::float8 as seen_per_call,
  q.items_created / nullif(q.calls, 0)::float8 as created_per_call
from crawl_query q;
--> statement-breakpoint
create view analytics.shop_volatility as
select p.shop_id, count(*) as products, sum(p.rate_days) as observed_days, sum(p.rate_changes) as changes,
  sum(p.rate_changes) / nullif(sum(p.rate_days), 0) as changes_per_product_day,
  (count(*) filter (where p.rate_changes = 0)) / count(*)::float8 as never_changed,
  (count(*) filter (where p.changed_at > now() - interval '7 days' and p.changed_at > p.first_seen_at))
    / count(*)::float8 as changed_7d
from product p where p.state <> 'gone' group by p.shop_id;
--> statement-breakpoint
create view analytics.shop_days as
select day, shop_id, new_products, changes, drops, drops_5, rises, sold_out, restocked, glitches
from shop_day;
--> statement-breakpoint
create view analytics.freshness as
select p.shop_id, b.age_band, b.up_to, count(*) as products,
  count(*) / sum(count(*)) over (partition by p.shop_id)::float8 as share,
  max(p.checked_at) as newest_check_at, min(p.checked_at) as oldest_check_at
from product p join (values (1, interval '1 hour', interval '0'), (2, interval '6 hours', interval '1 hour'),
  (3, interval '1 day', interval '6 hours'), (4, interval '3 days', interval '1 day'),
  (5, interval '7 days', interval '3 days'), (6, interval '30 days', interval '7 days'),
  (7, null, interval '30 days')) as b(age_band, up_to, above)
  on (p.checked_at <= now() - b.above or b.age_band = 1) and (b.up_to is null or p.checked_at > now() - b.up_to)
where p.state <> 'gone'
group by p.shop_id, b.age_band, b.up_to;
--> statement-breakpoint
create view analytics.check_months as
select month, shop_id, products, product_days from confirmation_month
union all
select c.month, p.shop_id, count(*)::integer, sum(cardinality(c.moments))
from confirmation c join product p using (item_id) group by 1, 2;
--> statement-breakpoint
comment on view analytics.calls is 'The ledger: one row a call to the upstream, written before it was sent. Rows that taught nothing are dropped after some time (analytics.call_days keeps the sums). Parameters are not shown.';
--> statement-breakpoint
comment on column analytics.calls.call_id is 'Ascending with time of reservation.';
--> statement-breakpoint
comment on column analytics.calls.day is 'Day of the upstream''s calendar it is counted in.';
--> statement-breakpoint
comment on column analytics.calls.purpose is 'discovery, revalidation or on_demand.';
--> statement-breakpoint
comment on column analytics.calls.operation is 'search or refresh.';
--> statement-breakpoint
comment on column analytics.calls.job is 'The job that asked for it.';
--> statement-breakpoint
comment on column analytics.calls.sent_at is 'When it was, or was due to be, sent. Never null.';
--> statement-breakpoint
comment on column analytics.calls.finished_at is 'When its answer was settled; null while unknown.';
--> statement-breakpoint
comment on column analytics.calls.outcome is 'ok, the code of the failure, or unknown (counted, but no answer was recorded).';
--> statement-breakpoint
comment on column analytics.calls.duration_ms is 'Milliseconds to the answer; null while unknown.';
--> statement-breakpoint
comment on column analytics.calls.shop_id is 'The shop a refresh asked about; null for searches.';
--> statement-breakpoint
comment on column analytics.calls.keyword_id is 'The keyword a search asked for, as in keyword_yield; null for refreshes and removed keywords.';
--> statement-breakpoint
comment on column analytics.calls.found is 'Hits the upstream reported in all; null for refreshes and failures.';
--> statement-breakpoint
comment on column analytics.calls.asked is 'Products a refresh asked for; null for searches.';
--> statement-breakpoint
comment on column analytics.calls.returned is 'Items in the answer, = created + changed + unchanged + quarantined + duplicates; null without an answer.';
--> statement-breakpoint
comment on column analytics.calls.created is 'Products never seen before; null without an answer.';
--> statement-breakpoint
comment on column analytics.calls.changed is 'Products that differed from what was stored; null without an answer.';
--> statement-breakpoint
comment on column analytics.calls.unchanged is 'Products confirmed as stored; null without an answer.';
--> statement-breakpoint
comment on column analytics.calls.gone is 'Products proven deleted; null for searches or without an answer.';
--> statement-breakpoint
comment on column analytics.calls.quarantined is 'Items that could not be read; null without an answer.';
--> statement-breakpoint
comment on column analytics.calls.duplicates is 'Items listed twice in the answer; null without an answer.';
--> statement-breakpoint
comment on column analytics.calls.news is 'created + changed + gone: what the call taught; 0 without an answer.';
--> statement-breakpoint
comment on view analytics.call_days is 'The ledger summed by day, purpose, operation, job and outcome; kept for ever.';
--> statement-breakpoint
comment on column analytics.call_days.day is 'Day of the upstream''s calendar.';
--> statement-breakpoint
comment on column analytics.call_days.purpose is 'discovery, revalidation or on_demand.';
--> statement-breakpoint
comment on column analytics.call_days.operation is 'search or refresh.';
--> statement-breakpoint
comment on column analytics.call_days.job is 'The job that asked.';
--> statement-breakpoint
comment on column analytics.call_days.outcome is 'As in analytics.calls.';
--> statement-breakpoint
comment on column analytics.call_days.calls is 'Calls counted.';
--> statement-breakpoint
comment on column analytics.call_days.asked is 'Products asked for by refreshes.';
--> statement-breakpoint
comment on column analytics.call_days.returned is 'Items in answers.';
--> statement-breakpoint
comment on column analytics.call_days.created is 'Products never seen before.';
--> statement-breakpoint
comment on column analytics.call_days.changed is 'Products that differed.';
--> statement-breakpoint
comment on column analytics.call_days.unchanged is 'Products confirmed as stored.';
--> statement-breakpoint
comment on column analytics.call_days.gone is 'Products proven deleted.';
--> statement-breakpoint
comment on column analytics.call_days.quarantined is 'Items that could not be read.';
--> statement-breakpoint
comment on column analytics.call_days.duplicates is 'Items listed twice.';
--> statement-breakpoint
comment on column analytics.call_days.duration_ms is 'Milliseconds waited for answers, summed.';
--> statement-breakpoint
comment on view analytics.budget_days is 'One row a day of the upstream''s calendar: what was allowed, spent and bought.';
--> statement-breakpoint
comment on column analytics.budget_days.day is 'Day of the upstream''s calendar.';
--> statement-breakpoint
comment on column analytics.budget_days.limit_calls is 'Calls allowed.';
--> statement-breakpoint
comment on column analytics.budget_days.used is 'Calls counted; never above limit_calls. A call near the date change is counted in both days.';
--> statement-breakpoint
comment on column analytics.budget_days.discovery is 'Of these, for new products.';
--> statement-breakpoint
comment on column analytics.budget_days.revalidation is 'Of these, for known products.';
--> statement-breakpoint
comment on column analytics.budget_days.on_demand is 'Of these, asked for by users.';
--> statement-breakpoint
comment on column analytics.budget_days.refused_at is 'When the upstream closed the day early; null when it did not.';
--> statement-breakpoint
comment on column analytics.budget_days.answered is 'Calls with outcome ok.';
--> statement-breakpoint
comment on column analytics.budget_days.failed is 'Calls with a failure.';
--> statement-breakpoint
comment on column analytics.budget_days.unknown is 'Calls without a recorded outcome.';
--> statement-breakpoint
comment on column analytics.budget_days.returned is 'Items in answers.';
--> statement-breakpoint
comment on column analytics.budget_days.created is 'Products never seen before.';
--> statement-breakpoint
comment on column analytics.budget_days.changed is 'Products that differed.';
--> statement-breakpoint
comment on column analytics.budget_days.unchanged is 'Products confirmed as stored.';
--> statement-breakpoint
comment on column analytics.budget_days.gone is 'Products proven deleted.';
--> statement-breakpoint
comment on column analytics.budget_days.fill is 'returned as a share of 50 for each answered call, the most a call can show; null without answers.';
--> statement-breakpoint
comment on column analytics.budget_days.news_per_call is '(created + changed + gone) / used; null without calls.';
--> statement-breakpoint
comment on view analytics.keyword_yield is 'One row a discovery keyword and what it has brought since it was added.';
--> statement-breakpoint
comment on column analytics.keyword_yield.keyword_id is 'Id of the keyword.';
--> statement-breakpoint
comment on column analytics.keyword_yield.keyword is 'The words searched for.';
--> statement-breakpoint
comment on column analytics.keyword_yield.shop_id is 'The one shop searched in; null: all.';
--> statement-breakpoint
comment on column analytics.keyword_yield.source is 'seed, ops, or the rule that found it.';
--> statement-breakpoint
comment on column analytics.keyword_yield.enabled is 'Whether it is searched.';
--> statement-breakpoint
comment on column analytics.keyword_yield.created_at is 'When it was added.';
--> statement-breakpoint
comment on column analytics.keyword_yield.walked_at is 'When all its pages were last walked through; null: never.';
--> statement-breakpoint
comment on column analytics.keyword_yield.head_at is 'When its newest ids were last looked at; null: never.';
--> statement-breakpoint
comment on column analytics.keyword_yield.feed_at is 'When its newest changes were last looked at; null: never.';
--> statement-breakpoint
comment on column analytics.keyword_yield.found is 'Hits the upstream reported last; null before the first call.';
--> statement-breakpoint
comment on column analytics.keyword_yield.calls is 'Answered calls spent on it.';
--> statement-breakpoint
comment on column analytics.keyword_yield.items_seen is 'Items its answers showed.';
--> statement-breakpoint
comment on column analytics.keyword_yield.items_created is 'Products first seen by it.';
--> statement-breakpoint
comment on column analytics.keyword_yield.seen_per_call is 'items_seen / calls; null before the first call.';
--> statement-breakpoint
comment on column analytics.keyword_yield.created_per_call is 'items_created / calls; null before the first call.';
--> statement-breakpoint
comment on view analytics.shop_volatility is 'One row a shop: how often its products (not gone) are seen to change.';
--> statement-breakpoint
comment on column analytics.shop_volatility.shop_id is 'The shop''s id, as in analytics.shops.';
--> statement-breakpoint
comment on column analytics.shop_volatility.products is 'Products not gone.';
--> statement-breakpoint
comment on column analytics.shop_volatility.observed_days is 'Product-days between first and last look.';
--> statement-breakpoint
comment on column analytics.shop_volatility.changes is 'Content changes seen in them; may be fractional where evidence fades.';
--> statement-breakpoint
comment on column analytics.shop_volatility.changes_per_product_day is 'changes / observed_days; null before anything was looked at twice.';
--> statement-breakpoint
comment on column analytics.shop_volatility.never_changed is 'Share of products never seen to change, 0 to 1.';
--> statement-breakpoint
comment on column analytics.shop_volatility.changed_7d is 'Share of products seen to change in the last 7 days, 0 to 1.';
--> statement-breakpoint
comment on view analytics.freshness is 'Products that are not gone, by shop and by age of their last confirmation; bands without products have no row.';
--> statement-breakpoint
comment on column analytics.freshness.shop_id is 'The shop''s id, as in analytics.shops.';
--> statement-breakpoint
comment on column analytics.freshness.age_band is '1: up to 1 hour, 2: 6 hours, 3: 1 day, 4: 3 days, 5: 7 days, 6: 30 days, 7: older.';
--> statement-breakpoint
comment on column analytics.freshness.up_to is 'Greatest age in the band; null for the last.';
--> statement-breakpoint
comment on column analytics.freshness.products is 'Products in it.';
--> statement-breakpoint
comment on column analytics.freshness.share is 'Of the shop''s products, 0 to 1.';
--> statement-breakpoint
comment on column analytics.freshness.newest_check_at is 'Latest confirmation in the band.';
--> statement-breakpoint
comment on column analytics.freshness.oldest_check_at is 'Earliest confirmation in the band.';
--> statement-breakpoint
comment on view analytics.check_months is 'Product-days confirmed by month and shop; kept when the single confirmations of a month are dropped.';
--> statement-breakpoint
comment on column analytics.check_months.month is 'First day of the month.';
--> statement-breakpoint
comment on column analytics.check_months.shop_id is 'The shop the products belonged to when the month was summed (now, for months still kept).';
--> statement-breakpoint
comment on column analytics.check_months.products is 'Products confirmed at least once.';
--> statement-breakpoint
comment on column analytics.check_months.product_days is 'Days with a confirmation, summed over products.';
--> statement-breakpoint
comment on view analytics.shop_days is 'One row a day and shop in which something was seen to change; days without have no row. Summed each night for the days up to yesterday; the last seven are summed anew, because a glitch shows only afterwards.';
--> statement-breakpoint
comment on column analytics.shop_days.day is 'Day of the marketplace''s calendar on which the change was first seen; it may have happened since the look before.';
--> statement-breakpoint
comment on column analytics.shop_days.shop_id is 'The shop the product belonged to when the day was summed.';
--> statement-breakpoint
comment on column analytics.shop_days.new_products is 'Products first seen.';
--> statement-breakpoint
comment on column analytics.shop_days.changes is 'New values of price, list price or stock of known products.';
--> statement-breakpoint
comment on column analytics.shop_days.drops is 'Believed price drops (no glitch, no recovery from one).';
--> statement-breakpoint
comment on column analytics.shop_days.drops_5 is 'Of these, by 5 percent or more.';
--> statement-breakpoint
comment on column analytics.shop_days.rises is 'Believed price rises.';
--> statement-breakpoint
comment on column analytics.shop_days.sold_out is 'Products seen without stock after having had some.';
--> statement-breakpoint
comment on column analytics.shop_days.restocked is 'Products seen with stock after having had none.';
--> statement-breakpoint
comment on column analytics.shop_days.glitches is 'Prices not believed, as in price_history.';
