import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "../../db/open.ts";
import { putSetting } from "../../db/settings.ts";
import { matchCategory, matchCategoryChange, matchEvidence, setting } from "../../db/schema.ts";
import type { Logger } from "../../lib/logger.ts";
import {
  addCounts,
  estimateCategory,
  noCounts,
  toBin,
  type CategoryEstimate,
  type EstimateRules,
  type ScoreCounts,
} from "../comparing/estimates.ts";
import type { MatchModel } from "../comparing/model.ts";
import { lessForSameWording, shippedLimits } from "../comparing/limits.ts";
import { scorePlaced } from "../comparing/placing.ts";
import { compareWithinShops } from "./same-shop.ts";
import { readingVersion } from "./stored/passes.ts";
import type { PairRow } from "./stored/pair-rows.ts";
import { readModels } from "./stored/stored-models.ts";
import { createPreparedTexts, type PreparedTexts } from "./stored/texts.ts";

/** No category asks for less than the shipped threshold. */
const bounds = { usual: shippedLimits.threshold, lowest: shippedLimits.threshold, highest: 0.96 };

const settingKey = "match_estimates";
/** Products per transaction, and one of how many is compared with others of its shop. */
const slice = 100;
const probed = 10;
/** Products per night: a night of a large catalogue takes minutes, a pass over it many nights. */
const night = 20_000;
/** A new model makes old scores worthless. */
const passesPerVersion = 20;

const positionSchema = z.object({ pass: z.int(), after: z.int(), version: z.int() });
type Position = z.infer<typeof positionSchema>;

interface EstimateOptions {
  now: Date;
  /** Share of right links below which a category links nothing, 0 to 1. */
  floor: number;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * Estimates by the next products in the order of ids, at most once around and at most 20,000, how sure links
 * are in their categories, and sets their thresholds. Continues the next night where it ended.
 */
export async function estimateCategories(db: Db, options: EstimateOptions): Promise<void> {
  const texts = createPreparedTexts();
  for (let products = 0; products < night && !options.signal.aborted; products += slice) {
    const isAround = await db.transaction((tx) => estimateSlice(tx, texts, options));
    if (isAround) return;
  }
}

/** Returns whether the pass over all products has ended. */
async function estimateSlice(
  tx: Tx,
  texts: PreparedTexts,
  { now, floor, logger }: EstimateOptions,
): Promise<boolean> {
  const { inUse: model } = await readModels(tx);
  const version = readingVersion + model.version;
  const { pass, after } = await readPosition(tx, version);
  const seeds = await tx.execute<{ item_id: number; category: string | null }>(sql`
    select item_id, category from match_item where item_id > ${after} order by item_id limit ${slice}`);
  const last = seeds.at(-1)?.item_id;
  if (last !== undefined) {
    const counts = await countScores(tx, texts, { seeds, after, last, model });
    for (const [category, added] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const all = await storeEvidence(tx, { category, pass, added });
      const rules = { ...bounds, floor };
      await storeEstimate(tx, { category, counts: all, rules, version }, now, logger);
    }
  }
  const isAround = seeds.length < slice || last === undefined;
  const position = isAround ? { pass: pass + 1, after: 0 } : { pass, after: last };
  await putSetting(tx, settingKey, { ...position, version }, now);
  return isAround;
}

interface Seeds {
  seeds: readonly { item_id: number; category: string | null }[];
  after: number;
  last: number;
  model: MatchModel;
}

/** A pair of two categories counts in both, one of a single category once. */
async function countScores(
  tx: Tx,
  texts: PreparedTexts,
  { seeds, after, last, model }: Seeds,
): Promise<Map<string, ScoreCounts>> {
  const byCategory = new Map<string, ScoreCounts>();
  const count = (
    category: string | null | undefined,
    kinds: (keyof ScoreCounts)[],
    score: number,
  ) => {
    if (category === null || category === undefined) return;
    const counts = byCategory.get(category) ?? noCounts();
    byCategory.set(category, counts);
    for (const kind of kinds) counts[kind][toBin(score)] = (counts[kind][toBin(score)] ?? 0) + 1;
  };
  const pairs = await tx.execute<LinkedPair & { category: string | null; rule: string | null }>(sql`
    select s.category, p.rule, p.score, p.shares_model, p.same_wording, p.is_first_a, p.is_first_b,
      cardinality(p.vetoes) as vetoes
    from match_item s join match_pair p on p.a = s.item_id
    where s.item_id > ${after} and s.item_id <= ${last}
    union all
    select s.category, p.rule, p.score, p.shares_model, p.same_wording, p.is_first_a, p.is_first_b, cardinality(p.vetoes)
    from match_item s join match_pair p on p.b = s.item_id left join match_item o on o.item_id = p.a
    where s.item_id > ${after} and s.item_id <= ${last} and o.category is distinct from s.category`);
  for (const pair of pairs) {
    const label = pair.rule === "code" ? "same" : pair.rule === "other_code" ? "different" : null;
    count(pair.category, label ? ["crossShop", label] : ["crossShop"], toLinkScore(pair));
  }
  const categoryOf = new Map(seeds.map(({ item_id, category }) => [item_id, category]));
  const probes = seeds.filter((_, i) => i % probed === 0).map(({ item_id }) => item_id);
  for (const pair of await compareWithinShops(tx, texts, probes, model)) {
    // The same code in a shop: one product, offered twice.
    if (pair.rule === "code") continue;
    const score = scorePlaced(pair, model);
    const category = categoryOf.get(probes.includes(pair.a) ? pair.a : pair.b);
    count(category, ["sameShop"], toLinkScore({ ...pair, score, vetoes: pair.vetoes.length }));
  }
  return byCategory;
}

type LinkedPair = Pick<
  PairRow,
  "score" | "shares_model" | "same_wording" | "is_first_a" | "is_first_b"
> & {
  vetoes: number;
};

/**
 * The threshold up to which a pair is a link; 0 for one that no threshold links: with a veto, without a common
 * model or wording, or not the best for both.
 */
function toLinkScore({ score, vetoes, ...pair }: LinkedPair): number {
  const isLinkable = vetoes === 0 && pair.is_first_a && pair.is_first_b;
  if (isLinkable && pair.same_wording) return Math.min(1, score + lessForSameWording);
  return isLinkable && pair.shares_model ? score : 0;
}

/** Returns the evidence with that of earlier slices and passes. */
async function storeEvidence(
  tx: Tx,
  { category, pass, added }: { category: string; pass: number; added: ScoreCounts },
): Promise<ScoreCounts> {
  const [old] = await tx.select().from(matchEvidence).where(eq(matchEvidence.category, category));
  const counts = old ? addCounts(old, Math.max(0, pass - old.pass), added) : added;
  const row = { pass, ...counts };
  await tx
    .insert(matchEvidence)
    .values({ category, ...row })
    .onConflictDoUpdate({ target: matchEvidence.category, set: row });
  return counts;
}

/** Writes the estimate, and to the log what it changes about links. */
async function storeEstimate(
  tx: Tx,
  request: { category: string; counts: ScoreCounts; rules: EstimateRules; version: number },
  now: Date,
  logger: Logger,
): Promise<void> {
  const { category, counts, rules, version } = request;
  const [present] = await tx
    .select()
    .from(matchCategory)
    .where(eq(matchCategory.category, category));
  const estimate = estimateCategory(counts, rules, present ?? null);
  if (estimate === null) return;
  const row = { ...estimate, modelVersion: version, estimatedAt: now };
  await tx
    .insert(matchCategory)
    .values({ category, ...row })
    .onConflictDoUpdate({ target: matchCategory.category, set: row });
  if (!changesLinks(present ?? shippedLimits, estimate)) return;
  const { threshold, isLinked, reason } = estimate;
  await tx.insert(matchCategoryChange).values({ at: now, category, threshold, isLinked, reason });
  logger.info(
    {
      category,
      threshold,
      isLinked,
      precision: estimate.precisionByCodes ?? estimate.precisionByShops,
    },
    isLinked ? "a category links from another threshold" : "a category links nothing",
  );
}

function changesLinks(
  before: { threshold: number; isLinked: boolean },
  { threshold, isLinked }: CategoryEstimate,
): boolean {
  return before.isLinked !== isLinked || Math.fround(before.threshold) !== Math.fround(threshold);
}

/** Locks the position until the commit, so that slices of two processes follow one another. */
async function readPosition(tx: Tx, version: number): Promise<Position> {
  const start = { pass: 0, after: 0, version };
  await tx
    .insert(setting)
    .values({ key: settingKey, value: start, updatedAt: new Date(0) })
    .onConflictDoNothing();
  const [row] = await tx
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, settingKey))
    .for("update");
  const position = positionSchema.safeParse(row?.value).data ?? start;
  if (position.version === version) return position;
  return { pass: position.pass + passesPerVersion, after: 0, version };
}
