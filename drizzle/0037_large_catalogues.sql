-- online
drop index concurrently if exists product_popular;
--> statement-breakpoint
create index concurrently product_popular on product using btree (popularity desc nulls last, modified desc nulls last) where state <> 'gone';
--> statement-breakpoint
drop index concurrently if exists product_schedule_checked;
--> statement-breakpoint
create index concurrently product_schedule_checked on product_schedule using btree (checked_at);
--> statement-breakpoint
alter table mirror_index add column if not exists entered_to bigint default 0;
