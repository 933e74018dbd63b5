CREATE TABLE "forecast" (
	"made_at" timestamp (3) with time zone NOT NULL,
	"item_id" bigint NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"ver" bigint NOT NULL,
	"chance" double precision NOT NULL,
	"changed" boolean,
	CONSTRAINT "forecast_made_at_item_id_pk" PRIMARY KEY("made_at","item_id")
);
--> statement-breakpoint
create view analytics.forecasts as
with made as (
  select (made_at at time zone m.timezone)::date as made_on, width_bucket(chance, array[0.1, 0.3, 0.7]) as class,
    count(*) as drawn, count(changed) as products, sum(chance) filter (where changed is not null) as expected,
    sum(chance * (1 - chance)) filter (where changed is not null) as variance,
    count(*) filter (where changed) as changes
  from forecast, analytics.marketplace m group by 1, 2
), told as (
  select *, sqrt(variance * greatest(1, coalesce(avg((changes - expected) ^ 2 / nullif(variance, 0))
    over (order by made_on range between unbounded preceding and interval '7 days' preceding), 1))) as deviation
  from made where products >= 0.9 * drawn and variance >= 1
)
select made_on, (array[0, 0.1, 0.3, 0.7])[class + 1]::float8 as chance_from,
  (array[0.1, 0.3, 0.7, 1])[class + 1]::float8 as chance_to, products, expected,
  greatest(0, expected - 1.2816 * deviation) as low, least(products, expected + 1.2816 * deviation) as high, changes,
  abs(changes - expected) <= 1.2816 * deviation as held
from told;
--> statement-breakpoint
comment on view analytics.forecasts is 'Forecasts of changes and what came of them: one row for each day and each class of products about as likely to change. Each day some products are drawn; a week later it shows how many have changed. Rows of which more than a tenth cannot be told, or in which hardly a change was in doubt, are left out.';
--> statement-breakpoint
comment on column analytics.forecasts.made_on is 'Day of the forecast, in the marketplace''s time zone.';
--> statement-breakpoint
comment on column analytics.forecasts.chance_from is 'The class: least chance that the stored product no longer equals the upstream''s after a week.';
--> statement-breakpoint
comment on column analytics.forecasts.chance_to is 'The class: the chance lies below this.';
--> statement-breakpoint
comment on column analytics.forecasts.products is 'Products of which the outcome is known.';
--> statement-breakpoint
comment on column analytics.forecasts.expected is 'Of them, how many were expected to change: the sum of the chances.';
--> statement-breakpoint
comment on column analytics.forecasts.low is 'Lower bound that four out of five forecasts keep. As wide as earlier forecasts were wrong, at least as wide as chance alone makes it.';
--> statement-breakpoint
comment on column analytics.forecasts.high is 'Upper bound, likewise.';
--> statement-breakpoint
comment on column analytics.forecasts.changes is 'How many have changed.';
--> statement-breakpoint
comment on column analytics.forecasts.held is 'Whether the changes lie within the bounds.';
