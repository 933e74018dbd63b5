CREATE TABLE "alert_change" (
	"position" bigint PRIMARY KEY NOT NULL,
	"item_id" bigint NOT NULL,
	"ver" bigint NOT NULL,
	"kind" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_event" (
	"event_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_event_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"saved_search_id" bigint NOT NULL,
	"item_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"ver" bigint NOT NULL,
	"data" jsonb NOT NULL,
	"is_quiet" boolean NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "alert_event_once" UNIQUE("saved_search_id","item_id","kind","ver")
);
--> statement-breakpoint
CREATE TABLE "alert_head" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"group_change_id" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "alert_head_one_row" CHECK ("alert_head"."singleton")
);
--> statement-breakpoint
CREATE TABLE "alert_owner" (
	"owner_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_owner_owner_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key_id" bigint,
	"secret_hash" text,
	"email" text,
	"email_confirmed_at" timestamp (3) with time zone,
	"lang" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alert_owner_key_id_unique" UNIQUE("key_id"),
	CONSTRAINT "alert_owner_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "alert_owner_one" CHECK (("alert_owner"."key_id" is null) <> ("alert_owner"."secret_hash" is null))
);
--> statement-breakpoint
CREATE TABLE "saved_search" (
	"saved_search_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_search_saved_search_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"name" text NOT NULL,
	"query" jsonb NOT NULL,
	"rules" jsonb NOT NULL,
	"webhook_id" bigint,
	"min_change_percent" real NOT NULL,
	"cooldown_s" integer NOT NULL,
	"daily_max" integer NOT NULL,
	"confirm_factor" real NOT NULL,
	"digest" text DEFAULT 'none' NOT NULL,
	"digest_at" timestamp (3) with time zone,
	"digested_to" bigint DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"is_paused" boolean DEFAULT false NOT NULL,
	"fault" text,
	"feed_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"day" date,
	"day_events" integer DEFAULT 0 NOT NULL,
	"events" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "saved_search_feed_hash_unique" UNIQUE("feed_hash")
);
--> statement-breakpoint
CREATE TABLE "saved_search_anchor" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"saved_search_id" bigint NOT NULL,
	CONSTRAINT "saved_search_anchor_kind_key_saved_search_id_pk" PRIMARY KEY("kind","key","saved_search_id")
);
--> statement-breakpoint
CREATE TABLE "saved_search_item" (
	"saved_search_id" bigint NOT NULL,
	"item_id" bigint NOT NULL,
	"rules" jsonb NOT NULL,
	"jump" jsonb,
	"look_at" timestamp (3) with time zone,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_search_item_saved_search_id_item_id_pk" PRIMARY KEY("saved_search_id","item_id")
);
--> statement-breakpoint
CREATE TABLE "webhook" (
	"webhook_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_webhook_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"old_secret" text,
	"old_secret_until" timestamp (3) with time zone,
	"state" text DEFAULT 'active' NOT NULL,
	"reason" text,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"delivery_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_delivery_delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" bigint NOT NULL,
	"event_id" bigint,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"first_attempt_at" timestamp (3) with time zone,
	"last_attempt_at" timestamp (3) with time zone,
	"last_status" integer,
	"last_error" text,
	CONSTRAINT "webhook_delivery_once" UNIQUE("webhook_id","event_id")
);
--> statement-breakpoint
ALTER TABLE "pending_change" ADD COLUMN "before" jsonb;--> statement-breakpoint
ALTER TABLE "pending_change" ADD COLUMN "after" jsonb;--> statement-breakpoint
ALTER TABLE "alert_owner" ADD CONSTRAINT "alert_owner_key_id_api_key_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_key"("key_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search" ADD CONSTRAINT "saved_search_owner_id_alert_owner_owner_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."alert_owner"("owner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search" ADD CONSTRAINT "saved_search_webhook_id_webhook_webhook_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhook"("webhook_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search_anchor" ADD CONSTRAINT "saved_search_anchor_saved_search_id_saved_search_saved_search_id_fk" FOREIGN KEY ("saved_search_id") REFERENCES "public"."saved_search"("saved_search_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search_item" ADD CONSTRAINT "saved_search_item_saved_search_id_saved_search_saved_search_id_fk" FOREIGN KEY ("saved_search_id") REFERENCES "public"."saved_search"("saved_search_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_owner_id_alert_owner_owner_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."alert_owner"("owner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_webhook_webhook_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhook"("webhook_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_event_owner" ON "alert_event" USING btree ("owner_id","event_id");--> statement-breakpoint
CREATE INDEX "alert_event_search" ON "alert_event" USING btree ("saved_search_id","event_id");--> statement-breakpoint
CREATE INDEX "alert_owner_email" ON "alert_owner" USING btree ("email");--> statement-breakpoint
CREATE INDEX "saved_search_owner" ON "saved_search" USING btree ("owner_id","saved_search_id");--> statement-breakpoint
CREATE INDEX "saved_search_webhook" ON "saved_search" USING btree ("webhook_id") WHERE webhook_id is not null;--> statement-breakpoint
CREATE INDEX "saved_search_digest" ON "saved_search" USING btree ("digest_at") WHERE digest_at is not null;--> statement-breakpoint
CREATE INDEX "saved_search_expires" ON "saved_search" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE INDEX "saved_search_events" ON "saved_search" USING btree ("events");--> statement-breakpoint
CREATE INDEX "saved_search_anchor_search" ON "saved_search_anchor" USING btree ("saved_search_id");--> statement-breakpoint
CREATE INDEX "saved_search_item_look" ON "saved_search_item" USING btree ("look_at") WHERE look_at is not null;--> statement-breakpoint
CREATE INDEX "saved_search_item_touched" ON "saved_search_item" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "webhook_owner" ON "webhook" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" USING btree ("next_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_delivery_webhook" ON "webhook_delivery" USING btree ("webhook_id","state","next_at");--> statement-breakpoint
CREATE INDEX "webhook_delivery_state" ON "webhook_delivery" USING btree ("state","delivery_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_created" ON "webhook_delivery" USING btree ("created_at");--> statement-breakpoint
insert into alert_head default values;
--> statement-breakpoint
-- As `ProductFacts` in src/db/schema-alerts.ts; the lengths are those of `write_product_text`.
create function alert_facts(title text, categories jsonb, shop_id text, price bigint, proper_price bigint, stock bigint,
  variations jsonb, since timestamptz)
returns jsonb language sql stable as $$
  select jsonb_build_object(
    'title', left(title, 1000),
    'categories', (select coalesce(jsonb_agg(left(c, 200)), '[]') from jsonb_array_elements_text(categories) c),
    'shop_id', shop_id,
    'shop_name', (select left(s.shop_name, 200) from shop s where s.shop_id = alert_facts.shop_id),
    'price', price, 'proper_price', proper_price, 'stock', stock,
    'barcodes', (select coalesce(jsonb_agg(v->'barcode') filter (where v->>'barcode' is not null), '[]')
      from jsonb_array_elements(variations) v),
    'since', to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
--> statement-breakpoint
create or replace function changes_of_new_products() returns trigger language plpgsql as $$
begin
  if exists (select from saved_search) then
    insert into pending_change (item_id, ver, kind, price, stock, after)
    select item_id, ver, 'added', price, stock,
      alert_facts(title, categories, shop_id, price, proper_price, stock, variations, price_since)
    from new_rows where state <> 'gone' order by item_id;
  else
    insert into pending_change (item_id, ver, kind, price, stock)
    select item_id, ver, 'added', price, stock from new_rows where state <> 'gone' order by item_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function changes_of_products() returns trigger language plpgsql as $$
begin
  insert into pending_change (item_id, ver, kind, price, stock, prev_price, prev_stock, before, after)
  select n.item_id, n.ver,
    case when n.state = 'gone' then 'deleted' when o.state = 'gone' then 'returned' else 'changed' end,
    n.price, n.stock, o.price, o.stock,
    case when are_followed then
      alert_facts(o.title, o.categories, o.shop_id, o.price, o.proper_price, o.stock, o.variations, o.price_since) end,
    case when are_followed and n.state <> 'gone' then
      alert_facts(n.title, n.categories, n.shop_id, n.price, n.proper_price, n.stock, n.variations, n.price_since) end
  from new_rows n join old_rows o using (item_id), (select exists (select from saved_search) as are_followed) s
  where n.ver <> o.ver order by n.item_id;
  return null;
end $$;
--> statement-breakpoint
create view analytics.events as
select e.event_id, e.at, e.changed_at, e.saved_search_id, o.key_id, e.kind, e.item_id, e.ver,
  (e.data->>'price')::bigint as price, (e.data->>'prev_price')::bigint as prev_price, e.is_quiet
from alert_event e left join alert_owner o using (owner_id);
--> statement-breakpoint
comment on view analytics.events is 'What alerts have told: one row for each saved search, product, kind and version of the product.';
--> statement-breakpoint
comment on column analytics.events.event_id is 'Rises in the order in which events were committed.';
--> statement-breakpoint
comment on column analytics.events.at is 'When the event was written, by the database''s clock.';
--> statement-breakpoint
comment on column analytics.events.changed_at is 'When the change that it tells of was stored, by the database''s clock.';
--> statement-breakpoint
comment on column analytics.events.saved_search_id is 'The saved search; it may be deleted by now.';
--> statement-breakpoint
comment on column analytics.events.key_id is 'The API key that owns the saved search; null: a visitor''s.';
--> statement-breakpoint
comment on column analytics.events.kind is 'new_match, price_below, price_drop, new_low, back_in_stock, price_rise or gone.';
--> statement-breakpoint
comment on column analytics.events.item_id is 'The product.';
--> statement-breakpoint
comment on column analytics.events.ver is 'Version of the product after the change.';
--> statement-breakpoint
comment on column analytics.events.price is 'Price after the change; null for a deleted product.';
--> statement-breakpoint
comment on column analytics.events.prev_price is 'Price before the change; null for a new product.';
--> statement-breakpoint
comment on column analytics.events.is_quiet is 'Beyond the daily maximum of its saved search: not sent at once.';
