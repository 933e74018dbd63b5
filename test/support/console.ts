import { sql } from "drizzle-orm";
import { ensureJobs, finishRun, startRun } from "../../src/crawl/budget/jobs.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import type { Db } from "../../src/db/open.ts";
import { zeroResultQuery } from "../../src/db/schema.ts";
import { categoryReasons } from "../../src/matching/comparing/estimates.ts";
import { storeBackoffs } from "./backoffs.ts";
import { storeItems } from "./catalog.ts";
import { storePair } from "./matches.ts";
import { searchItem } from "./products.ts";

const dayMs = 86_400_000;
const tenMinutesMs = 600_000;

/** Stores the usual data of the console: two weeks of calls, and something of every kind to decide about. */
export async function storeOpsPast(db: Db, now: Date): Promise<void> {
  await ensureJobs(db, now);
  await storeProducts(db, now);
  await storeCalls(db, now);
  await storeKeywords(db, now);
  await storeTrouble(db, now);
  await storeKeys(db, now);
  await storeClicks(db, now);
  await storeMatches(db, now);
  await storeBackoffs(db, 1, new Date(now.getTime() - 3_600_000));
  const run = await startRun(db, "verify-mirror", "cron", new Date(now.getTime() - 1_400_000));
  await finishRun(db, run?.id ?? 0, { outcome: "done" }, new Date(now.getTime() - 1_380_000));
  await startRun(db, "revalidate", "cron", new Date(now.getTime() - 20_000));
}

async function storeProducts(db: Db, now: Date): Promise<void> {
  for (let day = 13; day >= 0; day -= 1) {
    const items = Array.from({ length: 240 - day * 6 }, (_, i) => searchItem(1000 + i)).filter(
      (_, i) => (i * 7 + day * 3) % 10 < 8 - day / 4,
    );
    await storeItems(db, new Date(now.getTime() - day * dayMs - 5_000_000).toISOString(), items);
  }
  const lately = [400_000, 2_000_000, 4_000_000].entries();
  for (const [part, agoMs] of lately) {
    const items = Array.from({ length: 40 }, (_, i) => searchItem(1000 + part * 40 + i));
    await storeItems(db, new Date(now.getTime() - agoMs).toISOString(), items);
  }
}

async function storeCalls(db: Db, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const startMs = new Date(`${today}T00:00:00+09:00`).getTime();
  const steps = Math.floor((now.getTime() - startMs) / tenMinutesMs);
  await db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome,
      duration_ms, found, asked, returned, created, changed, unchanged, gone, quarantined, duplicates)
    select ${today}, p.purpose, p.operation, p.job, p.params::jsonb, at, at + interval '300 ms',
      case when n % 97 = 0 then 'search_error' else 'ok' end, 300, 812, p.asked, 50,
      n % p.new_in, n % 4, 46 - n % 4, (n % 9 = 0)::int, (n % 70 = 0)::int, 0
    from generate_series(0, ${steps - 1}::int) step
    cross join lateral generate_series(0, 40 + (40 * sin(step / 9.0))::int) n
    cross join lateral (select ${new Date(startMs).toISOString()}::timestamptz
      + make_interval(secs => step * 600 + n * 7) as at) t
    join (values
      (0, 'revalidation', 'refresh', 'revalidate', '{"shop_id":"shop-1","item_id":[1000,1001,1002]}', 50, 1),
      (1, 'discovery', 'search', 'feed', '{"q":"革財布","sort":[{"column":"modified","direction":"desc"}]}', null, 2),
      (2, 'discovery', 'search', 'discover', '{"q":"手作り","start":51}', null, 9),
      (3, 'on_demand', 'refresh', 'on_demand', '{"shop_id":"shop-1","item_id":[1004]}', 1, 1)
    ) p(kind, purpose, operation, job, params, asked, new_in)
      on p.kind = case when n % 41 = 0 then 3 when n % 6 = 0 then 2 when n % 4 = 0 then 1 else 0 end`);
  await db.execute(sql`
    insert into budget_day (day, limit_calls, used, discovery, revalidation, on_demand, refused_at)
    select d::date, 10000, 9000 + (d::date - ${today}::date) * -61, 3000, 5800, 200,
      case when d::date = ${today}::date - 5 then d + interval '12 hours' end
    from generate_series(${today}::date - 13, ${today}::date - 1, interval '1 day') d
    union all
    select ${today}, 10000, count(*), count(*) filter (where purpose = 'discovery'),
      count(*) filter (where purpose = 'revalidation'), count(*) filter (where purpose = 'on_demand'), null
    from api_call`);
}

async function storeKeywords(db: Db, now: Date): Promise<void> {
  const words = ["革財布", "手作り アクセサリー", "北欧 食器", "leather wallet", "がま口"];
  for (const [i, q] of words.entries()) {
    const added = await addKeyword(db, { q, source: i < 4 ? "seed" : "ops" }, now);
    await db.execute(sql`
      update crawl_query set calls = ${i * 40}, items_created = ${i * i * 30}, items_seen = ${i * 1900},
        found = ${i === 0 ? null : i * 1234}, enabled = ${i !== 3},
        newest_checked_at = ${i === 0 ? null : new Date(now.getTime() - i * 700_000).toISOString()},
        last_error = ${i === 2 ? "search_error: the search failed" : null}
      where id = ${added?.id ?? 0}`);
  }
  const missed = ["がま口", "<b>燭台</b>"].map((q, i) => ({
    q,
    times: 9,
    visitors: 4 + i,
    lastAt: now,
  }));
  await db.insert(zeroResultQuery).values(missed);
}

async function storeClicks(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    insert into click (day, key_id, src, item_id, clicks)
    select ${now.toISOString().slice(0, 10)}::date - ago, key_id, src, 1000 + n, 3 + (ago * 7 + n) % 9
    from generate_series(0, 20) ago, generate_series(0, 30, 3) n,
      (values (0, ''), (0, 'page'), (7, 'top10')) as from_page(key_id, src)`);
}

/** Markup in raw text is what a hostile shop would send. */
export const hostileRaw = '{"item_id":9,"title":"<img src=x onerror=alert(1)>","price":"12,50"}';

async function storeMatches(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  await storePair(db, 1000, 1001, { score: 0.82, vetoes: ["pack"] });
  await storePair(db, 1000, 1002, { tier: "equal", kind: "model" });
  await db.execute(sql`
    insert into match_decision (a, b, decision, decided_at) values (1003, 1004, 'different', ${at})`);
  await db.execute(sql`
    insert into product_attribute (item_id, pack, models, colours) values
      (1000, 2, '{}', '{red}'), (1001, 6, '{}', '{red}')`);
  await db.execute(sql`
    insert into match_category (category, threshold, is_linked, reason, precision_by_codes, labelled_pairs, model_version, estimated_at)
    values ('<b>手芸</b>', 0.8, false, ${categoryReasons.refusedByCodes}, 0.71, 130, 1, ${at})`);
  await db.execute(sql`
    insert into match_category_change (at, category, threshold, is_linked, reason)
    values (${at}, '<b>手芸</b>', 0.8, false, ${categoryReasons.refusedByCodes})`);
  await db.execute(sql`
    insert into group_change (at, kind, group_id, other_group_id, item_ids)
    values (${at}, 'created', 7, null, '{1005,1006}'), (${at}, 'merged', 8, 7, '{1007,1008,1009,1010,1011,1012}')`);
}

async function storeKeys(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  await db.execute(sql`
    insert into api_key (name, hash, last_four, per_minute, per_day, origins, created_at, revoked_at) values
      ('shop.example', 'a', '9f3a', 60, 10000, '["https://shop.example"]', ${at}, null),
      ('<b>見本</b>', 'b', '0c11', null, null, '[]', ${at}, ${at})`);
  await db.execute(sql`
    insert into api_key_day (key_id, day, requests, errors, limited, other_origin, minute, minute_requests)
    select k, ${at.slice(0, 10)}::date - d, 4000 - 300 * d, 12, 3, 1, 0, 0
    from generate_series(0, 2) k, generate_series(0, 6) d`);
}

async function storeTrouble(db: Db, now: Date): Promise<void> {
  const at = new Date(now.getTime() - 3_000_000).toISOString();
  await db.execute(sql`
    insert into quarantine (call_id, item_id, reason, raw, seen_at)
    values (1, 9, 'price: expected a number', ${hostileRaw}, ${at}), (2, null, 'no readable id', '[]', ${at})`);
  await db.execute(sql`
    insert into mirror_index (index_uid, state, epoch, settings_hash, created_at)
    values ('products_v1', 'serving', gen_random_uuid(), 'x', ${at})`);
  await db.execute(sql`
    insert into mirror (index_uid, item_id, desired_version, indexed_version, dirty_since, next_at, dead_lettered_at, error)
    select 'products_v1', item_id, 2, case when item_id < 1003 then 1 else 2 end, ${at}, ${at},
      case when item_id = 1000 then ${at}::timestamptz end,
      case when item_id = 1000 then 'invalid_document_fields: the title cannot be read' end
    from product on conflict do nothing`);
  await db.execute(sql`
    insert into held_deletion (item_id, call_id, proven_at, held_at) select item_id, 1, ${at}, ${at} from product where item_id < 1007`);
  await db.execute(sql`update loss_guard set tripped_at = ${at}`);
  const proof = {
    indexUid: "products_v1",
    startedAt: at,
    finishedAt: at,
    buckets: 256,
    documents: 240,
    missing: 0,
    stale: 1,
    stray: 0,
    repaired: 1,
  };
  await db.execute(sql`
    insert into setting (key, value, updated_at) values ('verify_mirror', ${JSON.stringify(proof)}::text::jsonb, ${at})`);
}
