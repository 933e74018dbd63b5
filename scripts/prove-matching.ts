import { sql } from "drizzle-orm";
import { toGtin14 } from "../src/catalog/gtin.ts";
import type { Db } from "../src/db/open.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { createMatching } from "../src/matching/upkeep/step.ts";
import { withFields, type SandboxItem } from "../src/sandbox/catalogue/item.ts";
import { loadCatalog, loadChanges } from "../src/sandbox/load.ts";
import { readArguments, needed } from "./support/arguments.ts";
import { judgeGroups, pairsByCode, type Judged } from "./support/group-quality.ts";
import { collect } from "../src/lib/collect.ts";
import { observeItems } from "./support/bench-catalogue.ts";
import { withDatabase } from "./support/scratch.ts";
import { logger, say } from "./support/servers.ts";

/**
 * Groups a catalogue file from nothing, its codes hidden from the matcher, and judges the groups by the codes. Exit
 * code 1 if pairs are right less often than 90%, if a group has two offers of one shop in the same condition, or if
 * the cheapest of more than 3% of the groups is another product. `--products` repeats the file in more shops up to
 * that number, for the pace; `--samples` prints so many groups. With `--changes`, the edits and additions of the first
 * `--days` days with changes are observed and matched day by day, and the regroupings counted; deletions are left out.
 *
 *   npx tsx scripts/prove-matching.ts --catalog FILE [--products 100000] [--samples 20] [--changes FILE --days 7]
 */
const values = readArguments({
  catalog: needed,
  products: 0,
  samples: 10,
  changes: null,
  days: 7,
});

const seconds = (sinceMs: number) => (clock.monotonicMs() - sinceMs) / 1000;
const percent = (part: number, whole: number) =>
  whole === 0 ? "none" : `${((100 * part) / whole).toFixed(1)}%`;

/** Copies get shops and ids of their own. */
function repeat(items: readonly SandboxItem[], products: number): SandboxItem[] {
  const span = Math.max(...items.map(({ item_id }) => item_id));
  return Array.from({ length: Math.max(products, items.length) }, (_, i) => {
    const item = must(items[i % items.length], "a product");
    const round = Math.floor(i / items.length);
    if (round === 0) return item;
    return { ...item, item_id: item.item_id + round * span, shop_id: `${item.shop_id}-${round}` };
  });
}

/** Without their codes. */
const store = (db: Db, items: readonly SandboxItem[]) =>
  observeItems(
    db,
    items.map((item) => ({ ...item, variations: [] })),
  );

async function matchAll(db: Db, products: number): Promise<void> {
  const step = createMatching({ db, clock, logger });
  const { signal } = new AbortController();
  const beganMs = clock.monotonicMs();
  let toldMs = beganMs;
  let mostMemory = 0;
  const tell = async () => {
    const rows = await db.execute<{ stage: number; due: number }>(sql`
      select stage, count(*)::int as due from match_due group by stage order by stage`);
    const memory = process.memoryUsage.rss() / 2 ** 20;
    mostMemory = Math.max(mostMemory, memory);
    const due = rows.map((row) => `${row.due} at stage ${row.stage}`).join(", ") || "none";
    say(`${seconds(beganMs).toFixed(0)} s: due ${due}; memory ${memory.toFixed(0)} MB`);
  };
  for (;;) {
    const pauseMs = await step(signal);
    if (clock.monotonicMs() - toldMs > 10_000) {
      toldMs = clock.monotonicMs();
      await tell();
    }
    if (pauseMs > 0) break;
  }
  await tell();
  const took = seconds(beganMs);
  say(`${products} products in ${took.toFixed(0)} s: ${(products / took).toFixed(0)} a second`);
  say(`most memory ${mostMemory.toFixed(0)} MB`);
}

async function readJudged(db: Db, items: readonly SandboxItem[]): Promise<Judged[]> {
  const rows = await db.execute<{ item_id: number; group_id: number }>(sql`
    select item_id, group_id from group_member`);
  const groups = new Map(rows.map(({ item_id, group_id }) => [item_id, group_id]));
  return items.map((item) => ({
    itemId: item.item_id,
    shopId: item.shop_id,
    price: item.price,
    codes: item.variations.flatMap(({ barcode }) => toGtin14(barcode) ?? []),
    groupId: groups.get(item.item_id) ?? null,
  }));
}

/** Groups with two offers of one shop in the same condition. */
async function countDoubles(db: Db): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from (
      select from group_member m join match_item i using (item_id)
      group by m.group_id, i.shop_id, i.condition having count(*) > 1
    ) doubles`);
  return row?.n ?? 0;
}

async function showSamples(db: Db, many: number): Promise<void> {
  const rows = await db.execute<{ group_id: number; offers: string }>(sql`
    select group_id, string_agg(p.shop_id || ': ' || p.title || ' / ' || left(p.detail, 30) || ' (' || p.price || ', '
      || m.kind || ' ' || round(m.score::numeric, 2) || ')', E'\n    ') as offers
    from group_member m join product p using (item_id)
    group by group_id order by md5(group_id::text) limit ${many}`);
  for (const { group_id, offers } of rows) say(`  ${group_id}\n    ${offers}`);
}

/** How many of the pairs that share a code were compared: no later step can find the others. */
async function showBlockingRecall(db: Db, judged: readonly Judged[]): Promise<void> {
  const pairs = pairsByCode(judged);
  const [row] = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from match_pair p
    join json_array_elements(${JSON.stringify(pairs)}::text::json) x
      on p.a = (x ->> 0)::bigint and p.b = (x ->> 1)::bigint`);
  say(`blocking: ${percent(row?.n ?? 0, pairs.length)} of ${pairs.length} pairs by code compared`);
}

const DAY_SECONDS = 86_400;

/** Observes and matches recorded changes day by day, and counts products that change their group. */
async function showRegroupings(db: Db, file: string, items: readonly SandboxItem[]): Promise<void> {
  const known = new Map(items.map((item) => [item.item_id, item]));
  const byDay = collect(await loadChanges(file), ({ t }) => [Math.floor(t / DAY_SECONDS)]);
  for (const [day, changes] of [...byDay].slice(0, values.days)) {
    const observed = new Map<number, SandboxItem>();
    for (const change of changes) {
      if (change.op === "delete") continue;
      const before = change.op === "edit" ? known.get(change.item_id) : undefined;
      const item = change.op === "add" ? change.item : before && withFields(before, change.set);
      if (!item) continue;
      known.set(item.item_id, item);
      observed.set(item.item_id, item);
    }
    const [last] = await db.execute<{ id: number }>(
      sql`select coalesce(max(id), 0) as id from group_change`,
    );
    await store(db, [...observed.values()]);
    await matchAll(db, observed.size);
    const rows = await db.execute<{ kind: string; products: number }>(sql`
      select kind, sum(cardinality(item_ids))::int as products from group_change
      where id > ${last?.id ?? 0} group by kind order by kind`);
    const moved = rows.reduce((sum, { products }) => sum + products, 0);
    const date = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);
    const kinds = rows.map(({ kind, products }) => `${kind} ${products}`).join(", ");
    say(
      `${date}: ${observed.size} products changed or new; regroupings ${((1000 * moved) / known.size).toFixed(2)} per 1,000 products (${kinds || "none"})`,
    );
  }
}

async function judge(db: Db, items: readonly SandboxItem[]): Promise<boolean> {
  const judged = await readJudged(db, items);
  const quality = judgeGroups(judged);
  await showBlockingRecall(db, judged);
  const doubles = await countDoubles(db);
  const [sizes] = await db.execute<Record<string, number>>(sql`
    select (select count(*) from group_member) as grouped, (select count(distinct group_id) from group_member) as groups,
      (select count(*) from match_pair) as pairs, (select count(*) from match_pair where tier = 'equal') as equal,
      (select count(*) from match_pair where tier = 'similar') as similar,
      (select count(*) from match_pair where is_doubtful) as doubtful`);
  say(JSON.stringify(sizes));
  const { pairs, rightPairs, truePairs, bCubed, judgedGroups, wrongCheapest } = quality;
  say(
    `pairs by code: precision ${percent(rightPairs, pairs)} of ${pairs}, recall ${percent(rightPairs, truePairs)} of ${truePairs}`,
  );
  say(`B-cubed: ${JSON.stringify(bCubed)} over ${quality.judged} products`);
  say(
    `groups whose cheapest is another product: ${percent(wrongCheapest, judgedGroups)} of ${judgedGroups}`,
  );
  say(`groups with two offers of a shop in the same condition: ${doubles}`);
  return rightPairs >= 0.9 * pairs && doubles === 0 && wrongCheapest <= 0.03 * judgedGroups;
}

await withDatabase(async (db) => {
  const plain = await loadCatalog(values.catalog);
  const items = repeat(plain, values.products);
  const startMs = clock.monotonicMs();
  await store(db, items);
  await db.execute(sql`vacuum analyze`);
  say(`stored ${items.length} products in ${seconds(startMs).toFixed(0)} s`);
  await matchAll(db, items.length);
  const isRight = await judge(db, items);
  await showSamples(db, values.samples);
  if (values.changes) await showRegroupings(db, values.changes, items);
  process.exitCode = isRight ? 0 : 1;
});
