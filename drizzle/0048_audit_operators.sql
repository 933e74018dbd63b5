-- online
drop index concurrently if exists quarantine_call;
--> statement-breakpoint
create index concurrently quarantine_call on quarantine using btree (call_id);
--> statement-breakpoint
drop index concurrently if exists mirror_dead_lettered_item;
--> statement-breakpoint
create index concurrently mirror_dead_lettered_item on mirror using btree (item_id) where dead_lettered_at is not null;
--> statement-breakpoint
-- All rows so far are of the only operator there was. A constant default changes no row.
alter table ops_audit add column operator text default 'ops', add column address text;
alter table ops_audit alter column operator drop default;
