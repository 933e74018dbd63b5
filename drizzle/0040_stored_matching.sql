CREATE TABLE "match_category_due" (
	"category" text PRIMARY KEY NOT NULL,
	"after_id" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_frequency" (
	"key" bigint PRIMARY KEY NOT NULL,
	"items" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_head" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"after_id" bigint DEFAULT 0,
	CONSTRAINT "match_head_one_row" CHECK ("match_head"."singleton")
);
--> statement-breakpoint
CREATE TABLE "match_item" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"shop_id" text NOT NULL,
	"category" text,
	"condition" text,
	"codes" bigint[] NOT NULL,
	"words" bigint[] NOT NULL,
	"models" bigint[] NOT NULL,
	"couples" bigint[] NOT NULL,
	"version" integer NOT NULL,
	"steps" smallint[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_key" (
	"key" bigint NOT NULL,
	"item_id" bigint NOT NULL,
	CONSTRAINT "match_key_key_item_id_pk" PRIMARY KEY("key","item_id")
);
--> statement-breakpoint
ALTER TABLE "match_due" ALTER COLUMN "since" SET DEFAULT clock_timestamp();--> statement-breakpoint
ALTER TABLE "match_due" ADD COLUMN "stage" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "match_due" ADD COLUMN "is_follower" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "match_due" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "match_due" ADD COLUMN "next_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "shop_a" text NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "shop_b" text NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "rule" text;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "base" real NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "shares_model" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "soft_min" real NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "same_wording" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "cosine" real NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "best_a" real NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "best_b" real NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "is_first_a" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "match_pair" ADD COLUMN "is_first_b" boolean NOT NULL;--> statement-breakpoint
CREATE INDEX "match_item_category" ON "match_item" USING btree ("category","item_id");--> statement-breakpoint
CREATE INDEX "match_due_next" ON "match_due" USING btree ("stage","is_follower","next_at");--> statement-breakpoint
CREATE INDEX "match_due_failing" ON "match_due" USING btree ("item_id") WHERE attempts > 0;--> statement-breakpoint
insert into match_head default values;
--> statement-breakpoint
alter table match_due set (fillfactor = 70);
--> statement-breakpoint
-- Steps of a third. Prices within a step are the same to matching, so that small changes cost nothing.
create function match_price_step(price bigint) returns integer language sql immutable parallel safe as $$
  select case when price > 0 then floor(ln(price::float8) / ln(4.0::float8 / 3))::integer end
$$;
--> statement-breakpoint
-- Each mark writes the row, so that its xmin tells a marked product from one that is as it was read.
create function match_mark_due(item_ids bigint[]) returns void language sql as $$
  insert into match_due as m (item_id)
  select distinct unnest(item_ids) order by 1
  on conflict (item_id) do update set
    stage = 0, is_follower = false, attempts = 0, next_at = least(m.next_at, excluded.next_at)
$$;
--> statement-breakpoint
create function match_products_added() returns trigger language plpgsql as $$
begin
  perform match_mark_due(array(select item_id from new_rows where state <> 'gone'));
  return null;
end $$;
--> statement-breakpoint
create function match_products_changed() returns trigger language plpgsql as $$
declare
  changed bigint[];
begin
  changed := array(
    select n.item_id from new_rows n join old_rows o using (item_id)
    where n.ver <> o.ver and (n.title <> o.title or n.detail <> o.detail or n.shop_id <> o.shop_id
      or (n.state = 'gone') <> (o.state = 'gone')
      or match_price_step(n.price) is distinct from match_price_step(o.price)
      or n.categories <> o.categories
      or (n.variations <> o.variations and jsonb_path_query_array(n.variations, '$[*].barcode')
        <> jsonb_path_query_array(o.variations, '$[*].barcode'))));
  if cardinality(changed) > 0 then
    perform match_mark_due(changed);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger match_products_added after insert on product
  referencing new table as new_rows for each statement execute function match_products_added();
--> statement-breakpoint
create trigger match_products_changed after update on product
  referencing old table as old_rows new table as new_rows
  for each statement execute function match_products_changed();
--> statement-breakpoint
create function match_category_changed() returns trigger language plpgsql as $$
begin
  insert into match_category_due (category) values (new.category)
  on conflict (category) do update set after_id = 0;
  return null;
end $$;
--> statement-breakpoint
create trigger match_category_added after insert on match_category for each row
  execute function match_category_changed();
--> statement-breakpoint
create trigger match_category_changed after update on match_category for each row
  when ((old.threshold, old.is_linked) is distinct from (new.threshold, new.is_linked))
  execute function match_category_changed();
--> statement-breakpoint
revoke execute on function match_price_step(bigint), match_mark_due(bigint[]), match_products_added(),
  match_products_changed(), match_category_changed() from public;
