import { sql } from "drizzle-orm";
import { batchSize } from "../scoring/scoring.ts";
import { readZeroResultQueries } from "../../catalog/visitors/zero-results.ts";
import { countLiving } from "../../catalog/counts.ts";
import type { Db } from "../../db/open.ts";
import { toRecords, type RowOf } from "../../db/rows.ts";
import { randomRows } from "../../db/sample.ts";
import {
  countShown,
  proposalRules,
  toCandidates,
  type Candidate,
  type Drawn,
  type Evidence,
  type ProposalRule,
} from "./candidates.ts";
import type { Keyword } from "../learning/keywords.ts";
import type { Trial } from "../../db/schema.ts";

const sampleSize = 3000;
const zeroResultQueries = 200;

/**
 * Proposes keywords, so that up to `most` of each rule wait for their first trial. A keyword that is in
 * the list, paused or removed is not proposed again. Returns the sample it has read.
 */
export async function propose(db: Db, most: number, now: Date): Promise<readonly Drawn[]> {
  const waiting = await db.execute<{ source: string; n: number }>(sql`
    select source, count(*) as n from crawl_query where enabled and trial is null and scanned_at is null group by source`);
  const room = (rule: ProposalRule) => most - (waiting.find((row) => row.source === rule)?.n ?? 0);
  const sample = await draw(db);
  if (proposalRules.every((rule) => room(rule) <= 0)) return sample;
  const candidates = toCandidates({
    sample,
    zeroResults: await readZeroResultQueries(db, {
      limit: zeroResultQueries,
      without: "keyword",
    }),
    ended: await readEnded(db),
  });
  for (const rule of proposalRules) {
    if (room(rule) > 0)
      await add(db, { rule, candidates: candidates[rule], room: room(rule) }, now);
  }
  return sample;
}

/** Of the products that each of these keywords finds, about how many are held, by its id. */
export async function estimateHeld(
  db: Db,
  sample: readonly Drawn[],
  keywords: readonly Keyword[],
): Promise<ReadonlyMap<number, number>> {
  const scale = (await countLiving(db)) / Math.max(1, sample.length);
  const shown = countShown(sample, keywords);
  return new Map(keywords.map(({ id }, i) => [id, scale * (shown[i] ?? 0)]));
}

/** Adds the first `room` candidates that are not in the list, in whatever state. */
async function add(
  db: Db,
  {
    rule,
    candidates,
    room,
  }: { rule: ProposalRule; candidates: readonly Candidate[]; room: number },
  now: Date,
): Promise<void> {
  await db.execute(sql`
    insert into crawl_query (q, shop_id, source, reason, created_at)
    select x.q, x."shopId", ${rule}, x.reason, ${now.toISOString()}
    from rows from (json_to_recordset(${JSON.stringify(candidates)}::text::json)
      as (q text, "shopId" text, reason text)) with ordinality as x(q, "shopId", reason, place)
    where not exists (
      select from crawl_query k where k.q = x.q and coalesce(k.shop_id, '') = coalesce(x."shopId", ''))
    order by place limit ${room}
    on conflict do nothing`);
}

async function draw(db: Db): Promise<Drawn[]> {
  const rows = await db.execute<RowOf<Drawn>>(sql`
    select title, categories, p.shop_id, shop_name, query_id
    from (
      select item_id, title, categories, shop_id from ${randomRows("product", 2 * sampleSize)} c
      where state <> 'gone' order by random() limit ${sampleSize}) p
    cross join lateral (select query_id from product_schedule where item_id = p.item_id offset 0) c
    cross join lateral (select shop_name from shop where shop_id = p.shop_id offset 0) s`);
  return toRecords<Drawn>(rows, {});
}

async function readEnded(db: Db): Promise<Evidence["ended"]> {
  const rows = await db.execute<{ id: number; q: string; ends_at: number; found: number }>(sql`
    select id, q, ends_at, found from crawl_query
    where enabled and shop_id is null and ends_at < found order by found - ends_at desc limit 20`);
  return rows.map(({ id, q, ends_at: endsAt, found }) => ({ id, q, endsAt, found }));
}

/** What the first page of a proposal brings. */
export interface TrialYield {
  created: number;
  /** New products, as a share of those it shows. */
  newShare: number;
}

/** By rule: what the latest ones showed. */
export async function readTrialYields(db: Db): Promise<ReadonlyMap<string, TrialYield>> {
  const rows = await db.execute<{
    source: string;
    trials: number;
    shown: number;
    created: number;
  }>(sql`
    select source, count(*) as trials, sum((trial ->> 'shown')::int)::int as shown,
      sum((trial ->> 'shown')::int - (trial ->> 'known')::int)::int as created
    from (
      select source, trial, row_number() over (partition by source order by trial ->> 'at' desc) as place
      from crawl_query where trial is not null) latest
    where place <= 50 group by source`);
  return new Map(
    rows.map((row) => [
      row.source,
      {
        created: (row.created + priorYield.created) / (row.trials + 1),
        newShare: (row.created + priorShown * priorYield.newShare) / (row.shown + priorShown),
      },
    ]),
  );
}

/** Before there are trials; weighs as much as one of them, and as `priorShown` products shown. */
export const priorYield: TrialYield = { created: 10, newShare: 10 / batchSize };
const priorShown = 5;

/** The latest first pages of proposals, which the estimate is based on. */
const latestTrials = 15;

export interface Coverage {
  /** Share of the upstream's products that we hold; null before the first trial. */
  share: number | null;
  /** Standard error of the share, from the differences between the pages; null before two pages. */
  error: number | null;
  /** The products on these pages. */
  shown: number;
}

/**
 * Capture and recapture: the first page of a proposed keyword is a sample of the upstream's products,
 * independent of how the others were found. So the share of it that we held estimates the share of all.
 * Products that no word of a held product describes are never in a sample: the estimate is an upper one.
 */
export async function readCoverage(db: Db): Promise<Coverage> {
  const rows = await db.execute<{ trial: Trial }>(sql`
    select trial from crawl_query where trial is not null order by trial ->> 'at' desc limit ${latestTrials}`);
  return toCoverage(rows.map((row) => row.trial));
}

/** The products of a page are alike, so the error goes by how much pages differ. */
export function toCoverage(trials: readonly Pick<Trial, "shown" | "known">[]): Coverage {
  const pages = trials.filter((trial) => trial.shown > 0);
  const shown = pages.reduce((sum, page) => sum + page.shown, 0);
  if (shown === 0) return { share: null, error: null, shown };
  const share = pages.reduce((sum, page) => sum + page.known, 0) / shown;
  if (pages.length < 2) return { share, error: null, shown };
  const squares = pages.reduce((sum, page) => sum + (page.known - share * page.shown) ** 2, 0);
  const spread = Math.sqrt((squares * pages.length) / (pages.length - 1)) / shown;
  // Where pages show nothing unknown, the next product may yet be.
  return { share, error: Math.max(spread, 1 / shown), shown };
}

/**
 * How many of the products that the upstream finds for a keyword we hold: all that its full scan has
 * passed, and of the rest the share that was known among those passed; at least those that it found
 * itself. null before the first answer.
 */
export function toHeld(keyword: Keyword): number | null {
  const { found, scanStart, endsAt, scannedAt, itemsSeen, itemsCreated } = keyword;
  if (found === null) return null;
  const passed = Math.min(found, scanStart ?? endsAt ?? (scannedAt === null ? 0 : found));
  const known = itemsSeen === 0 ? 0 : 1 - itemsCreated / itemsSeen;
  return Math.max(Math.min(found, itemsCreated), Math.round(passed + (found - passed) * known));
}
