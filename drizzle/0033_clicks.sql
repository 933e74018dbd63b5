CREATE TABLE "click" (
	"day" date NOT NULL,
	"key_id" bigint NOT NULL,
	"src" text NOT NULL,
	"item_id" bigint NOT NULL,
	"clicks" integer NOT NULL,
	CONSTRAINT "click_day_key_id_src_item_id_pk" PRIMARY KEY("day","key_id","src","item_id")
);
--> statement-breakpoint
create view analytics.clicks as
select day, item_id, nullif(key_id, 0) as key_id, nullif(src, '') as src, clicks from click;
--> statement-breakpoint
comment on view analytics.clicks is 'Clicks that led visitors to shops: one row for each day, product, API key and label of the page. Programs are left out, and so is what one visitor clicks too often: more than 10 times a day on a product, more than 1,000 times a day in all. Nothing tells who clicked.';
--> statement-breakpoint
comment on column analytics.clicks.day is 'Day in the marketplace''s time zone.';
--> statement-breakpoint
comment on column analytics.clicks.item_id is 'The product.';
--> statement-breakpoint
comment on column analytics.clicks.key_id is 'API key that the request came with; null without one.';
--> statement-breakpoint
comment on column analytics.clicks.src is 'Label that the page gave the link; null without one. "page" is Kurabe''s own pages; "other" stands for all labels of a day and key beyond the first hundred.';
--> statement-breakpoint
comment on column analytics.clicks.clicks is 'How many clicks.';
