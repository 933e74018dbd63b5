-- online
drop index concurrently if exists group_change_dissolved;
--> statement-breakpoint
create index concurrently group_change_dissolved on group_change using gin (item_ids) where kind = 'dissolved';
--> statement-breakpoint
-- Nothing else changes.
select 1;
