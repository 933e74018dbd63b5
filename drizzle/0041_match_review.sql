CREATE TABLE "match_category_change" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "match_category_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"category" text NOT NULL,
	"threshold" real NOT NULL,
	"is_linked" boolean NOT NULL,
	"reason" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_evidence" (
	"category" text PRIMARY KEY NOT NULL,
	"pass" bigint NOT NULL,
	"same" double precision[] NOT NULL,
	"different" double precision[] NOT NULL,
	"cross_shop" double precision[] NOT NULL,
	"same_shop" double precision[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_review" (
	"a" bigint NOT NULL,
	"b" bigint NOT NULL,
	"priority" double precision NOT NULL,
	CONSTRAINT "match_review_a_b_pk" PRIMARY KEY("a","b"),
	CONSTRAINT "match_review_ordered" CHECK ("match_review"."a" < "match_review"."b")
);
--> statement-breakpoint
CREATE INDEX "match_review_priority" ON "match_review" USING btree ("priority","a","b");
--> statement-breakpoint
-- The lowest known price of the group of a product, or of the product alone; null without any.
create function lowest_price_with(item bigint) returns bigint language sql stable as $$
  select coalesce(
    (select min(p.price)
     from (select o.item_id from group_member m join group_member o using (group_id) where m.item_id = item limit 100) g
     join product p using (item_id) where p.state <> 'gone' and p.price > 0),
    (select nullif(price, 0) from product where item_id = item))
$$;
--> statement-breakpoint
-- What a decision about two products is worth: how much they are looked at, in opens, times the part of the
-- price by which the lowest price would change. The hundredths keep an order among pairs without either.
create function match_priority(a bigint, b bigint, at timestamptz) returns double precision language sql stable as $$
  select (0.01 + looks) * (0.01 + coalesce(1 - least(x, y)::float8 / greatest(x, y), 0))
  from (select coalesce(sum(score * power(0.5, greatest(0, extract(epoch from at - updated_at)) / 604800)), 0) as looks
        from demand where item_id in (a, b)) d,
    (select exists (select from group_member m join group_member o using (group_id)
                    where m.item_id = a and o.item_id = b) as together) g,
    lateral (select
      case when together then (select nullif(price, 0) from product where item_id = a) else lowest_price_with(a) end as x,
      case when together then (select nullif(price, 0) from product where item_id = b) else lowest_price_with(b) end as y) p
$$;
--> statement-breakpoint
-- Whether the newest decision of people about a pair stands.
create function is_decided(first bigint, second bigint) returns boolean language sql stable as $$
  select coalesce((select decision <> 'undone' from match_decision where a = first and b = second
                   order by id desc limit 1), false)
$$;
--> statement-breakpoint
revoke execute on function lowest_price_with(bigint), match_priority(bigint, bigint, timestamptz),
  is_decided(bigint, bigint) from public;
--> statement-breakpoint
create function review_of_pairs() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from match_review r using old_rows o where r.a = o.a and r.b = o.b and o.is_doubtful;
    return null;
  end if;
  if tg_op = 'UPDATE' then
    delete from match_review r using new_rows n where r.a = n.a and r.b = n.b and not n.is_doubtful;
  end if;
  insert into match_review (a, b, priority)
  select a, b, match_priority(a, b, now()) from new_rows where is_doubtful and not is_decided(a, b) order by a, b
  on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger review_of_new_pairs after insert on match_pair
  referencing new table as new_rows for each statement execute function review_of_pairs();
--> statement-breakpoint
create trigger review_of_changed_pairs after update on match_pair
  referencing new table as new_rows for each statement execute function review_of_pairs();
--> statement-breakpoint
create trigger review_of_removed_pairs after delete on match_pair
  referencing old table as old_rows for each statement execute function review_of_pairs();
--> statement-breakpoint
-- An estimate that leaves the limits as shipped makes no product due.
drop trigger match_category_added on match_category;
--> statement-breakpoint
create trigger match_category_added after insert on match_category for each row
  when (not new.is_linked or new.threshold <> 0.8::real) execute function match_category_changed();
--> statement-breakpoint
create view analytics.groups as
  select group_id, members, merged_into, created_at, ended_at from product_group;
--> statement-breakpoint
comment on view analytics.groups is 'Comparable products: offers of several shops that are one product, by barcode, by text or by a decision of people. One row for each that ever was.';
--> statement-breakpoint
comment on column analytics.groups.group_id is 'Id of the group. It stays while members come and go.';
--> statement-breakpoint
comment on column analytics.groups.members is 'How many products it has now; 0 once it was merged or dissolved.';
--> statement-breakpoint
comment on column analytics.groups.merged_into is 'The group that has its members now; null if it lives or was dissolved.';
--> statement-breakpoint
comment on column analytics.groups.created_at is 'When its first two products were found to be one.';
--> statement-breakpoint
comment on column analytics.groups.ended_at is 'When it was merged or dissolved; null while it lives.';
--> statement-breakpoint
create view analytics.group_members as select group_id, item_id, kind, score from group_member;
--> statement-breakpoint
comment on view analytics.group_members is 'Which products belong to which group now. A product without an equal elsewhere has no row.';
--> statement-breakpoint
comment on column analytics.group_members.group_id is 'Id of the group.';
--> statement-breakpoint
comment on column analytics.group_members.item_id is 'The product. It is in one group at most.';
--> statement-breakpoint
comment on column analytics.group_members.kind is 'The strongest reason why it is in the group: gtin (equal barcode), model (model number in the titles), text (likeness of the titles), manual (decision of people).';
--> statement-breakpoint
comment on column analytics.group_members.score is 'How sure that reason is, from 0 to 1. Barcodes and decisions of people have 1.';
--> statement-breakpoint
create view analytics.group_changes as
  select id as change_id, at, kind, group_id, other_group_id, item_ids from group_change;
--> statement-breakpoint
comment on view analytics.group_changes is 'What happened to groups, in order.';
--> statement-breakpoint
comment on column analytics.group_changes.change_id is 'Rises with every change.';
--> statement-breakpoint
comment on column analytics.group_changes.at is 'When it happened.';
--> statement-breakpoint
comment on column analytics.group_changes.kind is 'created, joined (products came), left (products went), merged (into the other group), split (into the other group), dissolved.';
--> statement-breakpoint
comment on column analytics.group_changes.group_id is 'The group that changed.';
--> statement-breakpoint
comment on column analytics.group_changes.other_group_id is 'merged: the group that remains; split: the new group; else null.';
--> statement-breakpoint
comment on column analytics.group_changes.item_ids is 'The products that the change is about.';
--> statement-breakpoint
create view analytics.product_attributes as
  select item_id, quantity, unit, pack, models, colours, size, condition, edition from product_attribute;
--> statement-breakpoint
comment on view analytics.product_attributes is 'What the titles of products tell. Null or empty: the title says nothing of it.';
--> statement-breakpoint
comment on column analytics.product_attributes.item_id is 'The product.';
--> statement-breakpoint
comment on column analytics.product_attributes.quantity is 'Content of one piece, in the unit beside it.';
--> statement-breakpoint
comment on column analytics.product_attributes.unit is 'Unit of the quantity, such as g, ml, m, W or GB.';
--> statement-breakpoint
comment on column analytics.product_attributes.pack is 'Pieces in the pack; null: not said, which is one.';
--> statement-breakpoint
comment on column analytics.product_attributes.models is 'Model numbers, in lower case.';
--> statement-breakpoint
comment on column analytics.product_attributes.colours is 'Colours, in lower case.';
--> statement-breakpoint
comment on column analytics.product_attributes.size is 'Size, such as of clothes.';
--> statement-breakpoint
comment on column analytics.product_attributes.condition is 'Condition, such as used or refurbished.';
--> statement-breakpoint
comment on column analytics.product_attributes.edition is 'Edition or volume.';
