-- The bound is `zeroResultVisitors` of src/catalog/visitors/zero-results.ts: rarer words may be private.
create view analytics.zero_results as
select q, visitors, times, last_at from zero_result_query where visitors >= 3;
--> statement-breakpoint
comment on view analytics.zero_results is 'What visitors searched for and nothing was found: one row for words that at least three visitors typed. Words that nobody has typed for 90 days are dropped. Nothing tells who searched.';
--> statement-breakpoint
comment on column analytics.zero_results.q is 'The words, in lower case and one width.';
--> statement-breakpoint
comment on column analytics.zero_results.visitors is 'By how many visitors, summed over days: who comes back on another day counts again.';
--> statement-breakpoint
comment on column analytics.zero_results.times is 'How often.';
--> statement-breakpoint
comment on column analytics.zero_results.last_at is 'When last, to within seconds.';
--> statement-breakpoint
create view analytics.deliveries as
select d.delivery_id, d.webhook_id, o.key_id, d.event_id, d.state, d.attempts, d.created_at, d.first_attempt_at,
  d.last_attempt_at, d.last_status
from webhook_delivery d join webhook w using (webhook_id) join alert_owner o using (owner_id);
--> statement-breakpoint
comment on view analytics.deliveries is 'Messages to webhooks: one row for each webhook and event. Kept for 30 days, and while the webhook is there. Feeds, streams and mails are not in it. Ask it for a range of created_at or delivery_id.';
--> statement-breakpoint
comment on column analytics.deliveries.delivery_id is 'Id of the message.';
--> statement-breakpoint
comment on column analytics.deliveries.webhook_id is 'The webhook.';
--> statement-breakpoint
comment on column analytics.deliveries.key_id is 'The API key that owns the webhook, as in api_usage.';
--> statement-breakpoint
comment on column analytics.deliveries.event_id is 'The event, as in events; null: a test message.';
--> statement-breakpoint
comment on column analytics.deliveries.state is 'waiting (for its first attempt, or the next one), delivered, or dead: given up.';
--> statement-breakpoint
comment on column analytics.deliveries.attempts is 'Attempts begun; since it was sent again by hand, if it was.';
--> statement-breakpoint
comment on column analytics.deliveries.created_at is 'When the event was written, by the database''s clock.';
--> statement-breakpoint
comment on column analytics.deliveries.first_attempt_at is 'When the first attempt began; null: none has.';
--> statement-breakpoint
comment on column analytics.deliveries.last_attempt_at is 'When the last attempt began; null: none has.';
--> statement-breakpoint
comment on column analytics.deliveries.last_status is 'HTTP status of the last answer; null: no answer.';
