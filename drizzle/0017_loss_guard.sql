CREATE TABLE "catalogue_size" (
	"slot" integer PRIMARY KEY NOT NULL,
	"products" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deletion_count" (
	"since" timestamp (3) with time zone PRIMARY KEY NOT NULL,
	"deleted" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "empty_answer" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"shop_id" text NOT NULL,
	"call_id" bigint NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "loss_guard" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"tripped_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "loss_guard_one_row" CHECK ("loss_guard"."singleton")
);
--> statement-breakpoint
-- What is held already was proven when it was held, as far as anybody knows.
ALTER TABLE "held_deletion" ADD COLUMN "proven_at" timestamp (3) with time zone;--> statement-breakpoint
update held_deletion set proven_at = held_at;--> statement-breakpoint
ALTER TABLE "held_deletion" ALTER COLUMN "proven_at" SET NOT NULL;--> statement-breakpoint
insert into loss_guard (tripped_at) select max(held_at) from held_deletion;
--> statement-breakpoint
create function count_products(delta bigint) returns void language sql as $$
  update catalogue_size set products = products + delta where delta <> 0 and slot = pg_backend_pid() % 16
$$;
--> statement-breakpoint
create function products_added() returns trigger language plpgsql as $$
begin
  perform count_products((select count(*) from new_rows where state <> 'gone'));
  return null;
end $$;
--> statement-breakpoint
create function products_changed() returns trigger language plpgsql as $$
begin
  perform count_products((
    select coalesce(sum((n.state <> 'gone')::int - (o.state <> 'gone')::int), 0)
    from new_rows n join old_rows o using (item_id)));
  return null;
end $$;
--> statement-breakpoint
create function products_removed() returns trigger language plpgsql as $$
begin
  perform count_products((select -count(*) from old_rows where state <> 'gone'));
  return null;
end $$;
--> statement-breakpoint
-- The triggers come before the count: making them keeps every writer away until this migration ends.
create trigger products_added after insert on product
  referencing new table as new_rows for each statement execute function products_added();
--> statement-breakpoint
create trigger products_changed after update on product
  referencing old table as old_rows new table as new_rows
  for each statement execute function products_changed();
--> statement-breakpoint
create trigger products_removed after delete on product
  referencing old table as old_rows for each statement execute function products_removed();
--> statement-breakpoint
insert into catalogue_size (slot, products) select slot, 0 from generate_series(0, 15) slot;
--> statement-breakpoint
update catalogue_size set products = (select count(*) from product where state <> 'gone') where slot = 0;
--> statement-breakpoint
revoke execute on function count_products(bigint) from public;
