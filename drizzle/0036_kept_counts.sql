CREATE TABLE "count_change" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"n" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "count_head" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"counted_to" bigint,
	CONSTRAINT "count_head_one_row" CHECK ("count_head"."singleton")
);
--> statement-breakpoint
CREATE TABLE "kept_count" (
	"name" text NOT NULL,
	"key" text NOT NULL,
	"n" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "kept_count_key" ON "kept_count" USING btree ("name",md5(key));--> statement-breakpoint
CREATE INDEX "kept_count_most" ON "kept_count" USING btree ("name","n" DESC NULLS LAST,left(key, 200) collate "C") WHERE name in ('shop', 'category');
--> statement-breakpoint
drop trigger products_added on product;
--> statement-breakpoint
drop trigger products_changed on product;
--> statement-breakpoint
drop trigger products_removed on product;
--> statement-breakpoint
drop function products_added();
--> statement-breakpoint
drop function products_changed();
--> statement-breakpoint
drop function products_removed();
--> statement-breakpoint
drop function count_products(bigint);
--> statement-breakpoint
DROP TABLE "catalogue_size";
--> statement-breakpoint
-- In what one product counts. `checked_second` has the hour in its name, so that the seconds of one hour are read
-- together; hours and seconds are those since 1970.
create function counts_of(state text, shop_id text, stock bigint, categories jsonb, checked_at timestamptz)
returns table (name text, key text) language sql stable as $$
  select 'state', state
  union all
  select v.* from (values
    ('shop', shop_id),
    ('checked_hour', floor(extract(epoch from checked_at) / 3600)::bigint::text),
    ('checked_second ' || floor(extract(epoch from checked_at) / 3600)::bigint,
      floor(extract(epoch from checked_at))::bigint::text)) v
  where state <> 'gone'
  union all
  select v.* from (select distinct c from jsonb_array_elements_text(categories) c) c,
    lateral (select 'category', c union all select 'category_in_stock', c where stock > 0) v
  where state <> 'gone'
$$;
--> statement-breakpoint
create function product_counts() returns trigger language plpgsql as $$
declare
  counted_to bigint := (select coalesce(h.counted_to, 9223372036854775807) from count_head h);
begin
  if tg_op = 'INSERT' then
    insert into count_change (name, key, n)
    select c.name, c.key, count(*) from new_rows p,
      counts_of(p.state, p.shop_id, p.stock, p.categories, p.checked_at) c
    where p.item_id <= counted_to group by 1, 2;
  elsif tg_op = 'UPDATE' then
    insert into count_change (name, key, n)
    select c.name, c.key, sum(p.n) from (
        select 1 as n, item_id, state, shop_id, stock, categories, checked_at from new_rows
        union all select -1, item_id, state, shop_id, stock, categories, checked_at from old_rows) p,
      counts_of(p.state, p.shop_id, p.stock, p.categories, p.checked_at) c
    where p.item_id <= counted_to group by 1, 2 having sum(p.n) <> 0;
  else
    insert into count_change (name, key, n)
    select c.name, c.key, -count(*) from old_rows p,
      counts_of(p.state, p.shop_id, p.stock, p.categories, p.checked_at) c
    where p.item_id <= counted_to group by 1, 2;
  end if;
  return null;
end $$;
--> statement-breakpoint
create function table_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into count_change (name, key, n) select 'table', tg_table_name, count(*) from new_rows having count(*) > 0;
  else
    insert into count_change (name, key, n) select 'table', tg_table_name, -count(*) from old_rows having count(*) > 0;
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Also a shop without products is in the list of shops.
create function shop_counts() returns trigger language plpgsql as $$
begin
  insert into count_change (name, key, n) select 'shop', shop_id, 0 from new_rows;
  return null;
end $$;
--> statement-breakpoint
create function counts_of_row(desired bigint, indexed bigint, dead_lettered_at timestamptz)
returns table (key text) language sql immutable as $$
  select 'rows'
  union all select 'dirty' where desired > indexed and dead_lettered_at is null
  union all select 'dead_lettered' where dead_lettered_at is not null
$$;
--> statement-breakpoint
create function mirror_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into count_change (name, key, n)
    select 'mirror ' || m.index_uid, c.key, count(*)
    from new_rows m, counts_of_row(m.desired_version, m.indexed_version, m.dead_lettered_at) c group by 1, 2;
  elsif tg_op = 'UPDATE' then
    insert into count_change (name, key, n)
    select 'mirror ' || m.index_uid, c.key, sum(m.n) from (
        select 1 as n, index_uid, desired_version, indexed_version, dead_lettered_at from new_rows
        union all select -1, index_uid, desired_version, indexed_version, dead_lettered_at from old_rows) m,
      counts_of_row(m.desired_version, m.indexed_version, m.dead_lettered_at) c
    group by 1, 2 having sum(m.n) <> 0;
  else
    insert into count_change (name, key, n)
    select 'mirror ' || m.index_uid, c.key, -count(*)
    from old_rows m, counts_of_row(m.desired_version, m.indexed_version, m.dead_lettered_at) c group by 1, 2;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger product_counts_inserted after insert on product
  referencing new table as new_rows for each statement execute function product_counts();
--> statement-breakpoint
create trigger product_counts_updated after update on product
  referencing old table as old_rows new table as new_rows for each statement execute function product_counts();
--> statement-breakpoint
create trigger product_counts_deleted after delete on product
  referencing old table as old_rows for each statement execute function product_counts();
--> statement-breakpoint
create trigger mirror_counts_inserted after insert on mirror
  referencing new table as new_rows for each statement execute function mirror_counts();
--> statement-breakpoint
create trigger mirror_counts_updated after update on mirror
  referencing old table as old_rows new table as new_rows for each statement execute function mirror_counts();
--> statement-breakpoint
create trigger mirror_counts_deleted after delete on mirror
  referencing old table as old_rows for each statement execute function mirror_counts();
--> statement-breakpoint
create trigger shop_counts_inserted after insert on shop
  referencing new table as new_rows for each statement execute function table_counts();
--> statement-breakpoint
create trigger shop_counts_deleted after delete on shop
  referencing old table as old_rows for each statement execute function table_counts();
--> statement-breakpoint
create trigger quarantine_counts_inserted after insert on quarantine
  referencing new table as new_rows for each statement execute function table_counts();
--> statement-breakpoint
create trigger quarantine_counts_deleted after delete on quarantine
  referencing old table as old_rows for each statement execute function table_counts();
--> statement-breakpoint
create trigger held_deletion_counts_inserted after insert on held_deletion
  referencing new table as new_rows for each statement execute function table_counts();
--> statement-breakpoint
create trigger held_deletion_counts_deleted after delete on held_deletion
  referencing old table as old_rows for each statement execute function table_counts();
--> statement-breakpoint
create trigger shop_listed after insert on shop
  referencing new table as new_rows for each statement execute function shop_counts();
--> statement-breakpoint
insert into kept_count (name, key, n)
select 'table', 'shop', count(*) from shop
union all select 'table', 'quarantine', count(*) from quarantine
union all select 'table', 'held_deletion', count(*) from held_deletion
union all select 'shop', shop_id, 0 from shop
union all select 'mirror ' || index_uid, 'rows', count(*) from mirror group by index_uid
union all select 'mirror ' || index_uid, 'dirty', count(*) from mirror
  where desired_version > indexed_version and dead_lettered_at is null group by index_uid
union all select 'mirror ' || index_uid, 'dead_lettered', count(*) from mirror
  where dead_lettered_at is not null group by index_uid;
--> statement-breakpoint
-- Products that are there already are counted in slices, by a worker (`catalog/counts.ts`).
insert into count_head (counted_to) select case when exists (select from product) then 0 end;
