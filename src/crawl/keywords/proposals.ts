import { sql } from "drizzle-orm";
import { readZeroResultQueries } from "../../catalog/zero-results.ts";
import type { Db } from "../../db/open.ts";
import {
  proposalRules,
  toCandidates,
  type Candidate,
  type Drawn,
  type Evidence,
  type ProposalRule,
} from "./candidates.ts";
import { countProducts } from "../learning/statistics.ts";

const SAMPLE = 3000;
const ZERO_RESULT_QUERIES = 200;

/**
 * Proposes keywords, so that up to `most` of each rule wait for their first trial. A keyword that is in
 * the list, paused or removed is not proposed again. Reads a sample; returns how many were added.
 */
export async function propose(db: Db, most: number, now: Date): Promise<number> {
  const waiting = await db.execute<{ source: string; n: number }>(sql`
    select source, count(*) as n from crawl_query where enabled and trial is null and scanned_at is null group by source`);
  const room = (rule: ProposalRule) => most - (waiting.find((row) => row.source === rule)?.n ?? 0);
  if (proposalRules.every((rule) => room(rule) <= 0)) return 0;
  const candidates = toCandidates({
    sample: await draw(db),
    zeroResults: await readZeroResultQueries(db, {
      limit: ZERO_RESULT_QUERIES,
      without: "keyword",
    }),
    ended: await readEnded(db),
  });
  let added = 0;
  for (const rule of proposalRules) {
    if (room(rule) > 0) added += await add(db, rule, candidates[rule], room(rule), now);
  }
  return added;
}

/** Adds the first `room` candidates that are not in the list, in whatever state. */
async function add(
  db: Db,
  rule: ProposalRule,
  candidates: readonly Candidate[],
  room: number,
  now: Date,
): Promise<number> {
  const rows = await db.execute(sql`
    insert into crawl_query (q, shop_id, source, reason, created_at)
    select x.q, x."shopId", ${rule}, x.reason, ${now.toISOString()}
    from rows from (json_to_recordset(${JSON.stringify(candidates)}::text::json)
      as (q text, "shopId" text, reason text)) with ordinality as x(q, "shopId", reason, place)
    where not exists (
      select from crawl_query k where k.q = x.q and coalesce(k.shop_id, '') = coalesce(x."shopId", ''))
    order by place limit ${room}
    on conflict do nothing returning id`);
  return rows.length;
}

/** Random blocks of a large table, all of a small one. */
async function draw(db: Db): Promise<Drawn[]> {
  const percent = Math.min(100, (100 * SAMPLE * 2) / Math.max(1, await countProducts(db)));
  const rows = await db.execute<{
    title: string;
    categories: string[];
    shop_id: string;
    shop_name: string;
    query_id: number | null;
  }>(sql`
    select title, categories, p.shop_id, shop_name, query_id
    from (
      select item_id, title, categories, shop_id from product tablesample system (${percent}::real)
      where state <> 'gone' order by random() limit ${SAMPLE}) p
    join product_schedule using (item_id) join shop s on s.shop_id = p.shop_id`);
  return rows.map((row) => ({
    title: row.title,
    categories: row.categories,
    shopId: row.shop_id,
    shopName: row.shop_name,
    queryId: row.query_id,
  }));
}

async function readEnded(db: Db): Promise<Evidence["ended"]> {
  const rows = await db.execute<{ id: number; q: string; ends_at: number; found: number }>(sql`
    select id, q, ends_at, found from crawl_query
    where enabled and shop_id is null and ends_at < found order by found - ends_at desc limit 20`);
  return rows.map(({ id, q, ends_at: endsAt, found }) => ({ id, q, endsAt, found }));
}

/** New products on the first page of the latest proposals, by rule. */
export async function readTrialYields(db: Db): Promise<Map<string, number>> {
  const rows = await db.execute<{ source: string; trials: number; created: number }>(sql`
    select source, count(*) as trials, sum((trial ->> 'shown')::int - (trial ->> 'known')::int)::int as created
    from (
      select source, trial, row_number() over (partition by source order by trial ->> 'at' desc) as place
      from crawl_query where trial is not null) latest
    where place <= 50 group by source`);
  return new Map(
    rows.map((row) => [
      row.source,
      (row.created + PRIOR_TRIALS * PRIOR_CREATED) / (row.trials + PRIOR_TRIALS),
    ]),
  );
}

/** The prior of a rule without trials. */
const PRIOR_TRIALS = 1;
export const PRIOR_CREATED = 10;
