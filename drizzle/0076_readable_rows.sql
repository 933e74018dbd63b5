-- What planner and jobs read must be what they expect: a number that is none (NaN, infinite, negative, far too large)
-- would spoil whatever is computed with it, and JSON of another shape would end the statement or the plan. It is not
-- stored: of such a row these columns stay as they were, or are as if nothing were known, and a warning tells which row.
create function is_amount(x float8) returns boolean language sql immutable as $$ select x between 0 and 1e12 $$;
--> statement-breakpoint
create function is_factor(x float8) returns boolean language sql immutable as $$ select x between 1e-6 and 1e6 $$;
--> statement-breakpoint
create function is_moment(x timestamptz) returns boolean language sql immutable as $$ select coalesce(isfinite(x), true) $$;
--> statement-breakpoint
create function is_readable(c product_schedule) returns boolean language sql immutable as $$
  select is_amount(c.rate_changes) and is_amount(c.rate_days) and is_factor(c.rate_factor) and is_factor(c.loss_factor)
    and is_amount(c.weight) and is_moment(c.checked_at) and is_moment(c.due_at) and is_moment(c.appeared_at)
$$;
--> statement-breakpoint
create function is_readable(s shop) returns boolean language sql immutable as $$
  select is_amount(s.rate_changes) and is_amount(s.rate_days) and is_amount(s.losses) and is_amount(s.loss_days)
    and is_amount(s.bumped) and is_amount(s.silent) and is_moment(s.losses_at) and is_moment(s.due_at)
$$;
--> statement-breakpoint
-- Of products, or positions in a list.
create function is_ids(x jsonb) returns boolean language sql immutable as $$
  select case when jsonb_typeof(x) = 'array' then not jsonb_path_exists(x,
    '$[*] ? (@.type() != "number" || @ < 0 || @ > 9007199254740991 || @.floor() != @)') else false end
$$;
--> statement-breakpoint
-- An object whose members are numbers, `named` ones among them; `texts` may be none.
create function is_numbers(x jsonb, named text[], texts text[] default '{}') returns boolean language sql immutable as $$
  select case when jsonb_typeof(x) = 'object' then x ?& named and not jsonb_path_exists(x - texts,
    '$.* ? (@.type() != "number" || @ < -1000000000000 || @ > 1000000000000)') else false end
$$;
--> statement-breakpoint
create function is_readable(q crawl_query) returns boolean language sql immutable as $$
  select coalesce(is_amount(q.scan_yield), q.scan_yield is null) and is_moment(q.scanned_at)
    and is_moment(q.newest_checked_at) and is_moment(q.feed_checked_at) and is_moment(q.next_at)
    and (q.trial is null or is_numbers(q.trial, '{shown,known}', '{at}'))
    and (q.newest_yield is null or is_numbers(q.newest_yield, '{value,valueByLaw,pages,newsByLaw}'))
    and jsonb_typeof(q.scans) = 'object'
$$;
--> statement-breakpoint
create function is_readable(b backoff) returns boolean language sql immutable as $$
  select (b.part is null or is_ids(b.part)) and (b.rest is null or is_ids(b.rest)) and is_moment(b.retry_at)
$$;
--> statement-breakpoint
create function is_readable(p crawl_page) returns boolean language sql immutable as $$
  select is_ids(p.item_ids) and is_moment(p.due_at)
$$;
--> statement-breakpoint
create function is_readable(j job) returns boolean language sql immutable as $$ select is_numbers(j.settings, '{}') $$;
--> statement-breakpoint
create function is_readable(r job_run) returns boolean language sql immutable as $$
  select is_moment(r.started_at) and (r.position is null
    or jsonb_typeof(r.position -> 'shopId') = 'string' and is_ids(jsonb_build_array(r.position -> 'itemId')))
$$;
--> statement-breakpoint
-- Those without which no call is made, or no product is sent to the index.
create function is_readable(s setting) returns boolean language sql immutable as $$
  select case when s.key like 'next\_call\_ms%' then jsonb_typeof(s.value) = 'number'
    when s.key like 'account\_pause:%' then jsonb_typeof(s.value -> 'until') = 'string'
    when s.key = 'search_copies' then is_ids(jsonb_build_array(s.value)) else true end
$$;
--> statement-breakpoint
create function is_readable(e rate_evidence) returns boolean language sql immutable as $$
  select is_amount(e.changes) and is_amount(e.expected)
$$;
--> statement-breakpoint
create function is_readable(e loss_evidence) returns boolean language sql immutable as $$
  select is_amount(e.losses) and is_amount(e.expected)
$$;
--> statement-breakpoint
create function is_readable(t rate_trait) returns boolean language sql immutable as $$ select is_factor(t.factor) $$;
--> statement-breakpoint
create function is_readable(t loss_trait) returns boolean language sql immutable as $$ select is_factor(t.factor) $$;
--> statement-breakpoint
-- Its argument: the columns that are looked at, and what they are while nothing is known.
create function keep_readable() returns trigger language plpgsql as $$
declare
  unknown constant jsonb := tg_argv[0];
  kept jsonb := unknown;
begin
  if tg_op = 'UPDATE' then
    if is_readable(old) then
      select jsonb_object_agg(key, to_jsonb(old) -> key) into kept from jsonb_object_keys(unknown) key;
    end if;
  end if;
  raise warning 'table %: what cannot be read is not stored, other columns are: %', tg_table_name, left(to_jsonb(new)::text, 300);
  return jsonb_populate_record(new, kept);
end $$;
--> statement-breakpoint
create trigger product_schedule_readable before insert or update on product_schedule for each row
  when (is_readable(new) is not true) execute function keep_readable(
    '{"rate_changes": 0, "rate_days": 0, "rate_factor": 1, "loss_factor": 1, "weight": 1, "checked_at": "now", "due_at": "now", "appeared_at": null}');
--> statement-breakpoint
create trigger shop_readable before insert or update on shop for each row
  when (is_readable(new) is not true) execute function keep_readable(
    '{"rate_changes": 0, "rate_days": 0, "losses": 0, "loss_days": 0, "bumped": 0, "silent": 0, "losses_at": null, "due_at": "now"}');
--> statement-breakpoint
create trigger crawl_query_readable before insert or update on crawl_query for each row
  when (is_readable(new) is not true) execute function keep_readable(
    '{"scan_yield": null, "scanned_at": null, "newest_checked_at": null, "feed_checked_at": null, "next_at": null, "trial": null, "newest_yield": null, "scans": {}}');
--> statement-breakpoint
create trigger backoff_readable before insert or update on backoff for each row
  when (is_readable(new) is not true) execute function keep_readable('{"part": null, "rest": null, "retry_at": "now"}');
--> statement-breakpoint
create trigger crawl_page_readable before insert or update on crawl_page for each row
  when (is_readable(new) is not true) execute function keep_readable('{"item_ids": [], "due_at": "now"}');
--> statement-breakpoint
create trigger job_readable before insert or update on job for each row
  when (is_readable(new) is not true) execute function keep_readable('{"settings": {}}');
--> statement-breakpoint
create trigger job_run_readable before insert or update on job_run for each row
  when (is_readable(new) is not true) execute function keep_readable('{"started_at": "now", "position": null}');
--> statement-breakpoint
create trigger setting_readable before insert or update on setting for each row
  when (is_readable(new) is not true) execute function keep_readable('{"value": 0}');
--> statement-breakpoint
create trigger rate_evidence_readable before insert or update on rate_evidence for each row
  when (is_readable(new) is not true) execute function keep_readable('{"changes": 0, "expected": 0}');
--> statement-breakpoint
create trigger loss_evidence_readable before insert or update on loss_evidence for each row
  when (is_readable(new) is not true) execute function keep_readable('{"losses": 0, "expected": 0}');
--> statement-breakpoint
create trigger rate_trait_readable before insert or update on rate_trait for each row
  when (is_readable(new) is not true) execute function keep_readable('{"factor": 1}');
--> statement-breakpoint
create trigger loss_trait_readable before insert or update on loss_trait for each row
  when (is_readable(new) is not true) execute function keep_readable('{"factor": 1}');
