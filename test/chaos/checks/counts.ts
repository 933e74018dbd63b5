import { violation, type Evidence, type Finding } from "./evidence.ts";

/** Every kept count that differs from a plain recount of the rows, with both. */
export const differingCounts = `
  with kept as (
    select name, key, sum(n)::bigint as n
    from (select name, key, n from kept_count union all select name, key, n from count_change) c
    group by 1, 2 having sum(n) <> 0
  ), living as (
    select item_id, shop_id, stock, categories, extract(epoch from checked_at) as checked
    from product where state <> 'gone'
  ), recount as (
    select 'state' as name, state as key, count(*) as n from product group by 2
    union all select 'shop', shop_id, count(*) from living group by 2
    union all select 'category', c, count(distinct item_id)
      from living, jsonb_array_elements_text(categories) c group by 2
    union all select 'category_in_stock', c, count(distinct item_id)
      from living, jsonb_array_elements_text(categories) c where stock > 0 group by 2
    union all select 'checked_hour', floor(checked / 3600)::bigint::text, count(*) from living group by 2
    union all select 'checked_second ' || floor(checked / 3600)::bigint, floor(checked)::bigint::text, count(*)
      from living group by 1, 2
    union all select 'table', 'shop', count(*) from shop having count(*) > 0
    union all select 'table', 'quarantine', count(*) from quarantine having count(*) > 0
    union all select 'table', 'held_deletion', count(*) from held_deletion having count(*) > 0
    union all select 'shop_evidence', e.key, sum(e.n)::bigint
      from shop s, evidence_of(s.rate_changes, s.rate_days, s.losses, s.loss_days, s.bumped, s.silent) e
      group by 2 having sum(e.n) <> 0
    union all select 'mirror ' || index_uid, 'rows', count(*) from mirror group by 1
    union all select 'mirror ' || index_uid, 'dirty', count(*) from mirror
      where desired_version > indexed_version and dead_lettered_at is null group by 1
    union all select 'mirror ' || index_uid, 'dead_lettered', count(*) from mirror
      where dead_lettered_at is not null group by 1
  )
  select name, key, k.n as kept, r.n as counted from kept k full join recount r using (name, key)
  where k.n is distinct from r.n`;

/** Every key of the matching whose products were counted wrongly. */
const differingFrequencies = `
  select key, f.items as kept, r.items as counted
  from match_frequency f
  full join (select key, count(*)::int as items from match_key group by 1) r using (key)
  where f.items is distinct from r.items`;

/** What is counted while it is written is what there is, whoever wrote it and however it ended. */
export async function checkCounts({ sql }: Evidence): Promise<Finding> {
  const violations = [
    ...violation("counts that differ from a recount", await sql.unsafe(differingCounts)),
    ...violation("keys with another number of products", await sql.unsafe(differingFrequencies)),
  ];
  const [kept] = await sql<{ n: string; keys: string }[]>`
    select (select count(*) from kept_count) as n, (select count(*) from match_frequency) as keys`;
  return { violations, seen: `${kept?.n} counts, ${kept?.keys} keys` };
}
