CREATE TABLE "match_model" (
	"version" smallint PRIMARY KEY NOT NULL,
	"weights" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_pair_next" (
	"a" bigint NOT NULL,
	"b" bigint NOT NULL,
	"score" real NOT NULL,
	"tier" text NOT NULL,
	"kind" text NOT NULL,
	"vetoes" text[] NOT NULL,
	"is_doubtful" boolean NOT NULL,
	"shop_a" text NOT NULL,
	"shop_b" text NOT NULL,
	"rule" text,
	"base" real NOT NULL,
	"shares_model" boolean NOT NULL,
	"soft_min" real NOT NULL,
	"same_wording" boolean NOT NULL,
	"cosine" real NOT NULL,
	"best_a" real NOT NULL,
	"best_b" real NOT NULL,
	"is_first_a" boolean NOT NULL,
	"is_first_b" boolean NOT NULL,
	CONSTRAINT "match_pair_next_a_b_pk" PRIMARY KEY("a","b"),
	CONSTRAINT "match_pair_next_ordered" CHECK ("match_pair_next"."a" < "match_pair_next"."b")
);
--> statement-breakpoint
ALTER TABLE "match_head" ADD COLUMN "model" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "match_head" ADD COLUMN "next_model" smallint;--> statement-breakpoint
ALTER TABLE "match_head" ADD COLUMN "next_after_id" bigint;--> statement-breakpoint
ALTER TABLE "match_head" ADD COLUMN "regrouped_after_id" bigint;--> statement-breakpoint
CREATE INDEX "match_pair_next_b" ON "match_pair_next" USING btree ("b");--> statement-breakpoint
-- Pairs of the model that follows are not reviewed before it is in use.
create or replace function review_of_pairs() returns trigger language plpgsql as $$
begin
  if tg_table_name <> 'match_pair' then
    return null;
  end if;
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
create trigger review_of_new_pairs after insert on match_pair_next
  referencing new table as new_rows for each statement execute function review_of_pairs();
--> statement-breakpoint
create trigger review_of_changed_pairs after update on match_pair_next
  referencing new table as new_rows for each statement execute function review_of_pairs();
--> statement-breakpoint
create trigger review_of_removed_pairs after delete on match_pair_next
  referencing old table as old_rows for each statement execute function review_of_pairs();
--> statement-breakpoint
-- The pairs of the model that follows become those in use, at once; the former ones go.
create function switch_match_pairs() returns void language plpgsql as $$
declare
  step text[];
  name text;
begin
  lock table match_pair, match_pair_next in access exclusive mode;
  foreach step slice 1 in array array[
    ['match_pair', 'match_pair_former'], ['match_pair_next', 'match_pair'], ['match_pair_former', 'match_pair_next']
  ] loop
    execute format('alter table %I rename to %I', step[1], step[2]);
    foreach name in array array['_a_b_pk', '_ordered'] loop
      execute format('alter table %I rename constraint %I to %I', step[2], step[1] || name, step[2] || name);
    end loop;
    execute format('alter index %I rename to %I', step[1] || '_b', step[2] || '_b');
  end loop;
  truncate match_pair_next;
end $$;
--> statement-breakpoint
revoke execute on function switch_match_pairs() from public;
