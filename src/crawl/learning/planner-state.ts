import { z } from "zod";
import type { Observed, Sighting } from "../../catalog/sighting.ts";
import type { Db, Tx } from "../../db/open.ts";
import { isRecord } from "../../lib/is-record.ts";
import { putSetting, readSetting } from "../../db/settings.ts";
import type { DayRules } from "../budget/accounts.ts";
import { toDays } from "../scoring/days.ts";
import { createListBackoffs } from "../safety/keyword-backoffs.ts";
import type { ItemStats, KeywordStats } from "../scoring/scoring.ts";
import { shareMoments, toWeekPattern, type SharedMoments } from "../scoring/week-pattern.ts";
import { newReading, readWithoutGapUntil, type Reading } from "../scoring/reading.ts";
import { changedShare, countOwn, priorArrivals, priorYield } from "../scoring/yield.ts";
import { afterProofs } from "../scoring/absences.ts";
import { importance } from "../scoring/importance.ts";
import { horizonDays } from "../scoring/freshness-value.ts";
import { readMaxAgeDays } from "./max-age.ts";
import { readWhole, type ReadPart } from "./parts.ts";
import { readKeywords, type Keyword } from "./keywords.ts";
import { burstOf, learnLosses, addLosses, noLosses, recentLosses, type Losses } from "./losses.ts";
import { learn, type GivenStatistics, type Learned, type LearningContext } from "./learning.ts";
import { noScannedDays } from "./scanned-days.ts";
import { readTotals, type ReadContext, type Totals } from "./statistics.ts";
import { fromStored, momentsOf } from "./stored-reading.ts";

/** `shared`: of all keywords; `meanWeight`: of a product. */
function toKeywordStats(query: Keyword, shared: SharedMoments, meanWeight: number): KeywordStats {
  const arrivals = query.scans.arrivals ?? priorArrivals(query.found ?? 0, meanWeight);
  const began = toDays(query.scannedAt ?? query.createdAt);
  const stored = query.scans.reading;
  const reading: Reading = {
    ...newReading(query.feedCheckedAt ? toDays(query.feedCheckedAt) : began),
    ...(stored && fromStored(stored)),
  };
  return {
    keywordId: query.id,
    products: countOwn(query.scans, query.found ?? 0),
    reading,
    pattern: toWeekPattern(momentsOf(stored), shared),
    changedShare: changedShare(query.scans),
    absences: query.scans.absences ? afterProofs(query.scans.absences, query.itemsDeleted) : null,
    newestAt: Math.max(
      query.newestCheckedAt ? toDays(query.newestCheckedAt) : began,
      readWithoutGapUntil(reading),
    ),
    newest: query.newestYield ?? priorYield(arrivals),
    arrivals,
  };
}

/** What another version has kept of a keyword's pages and cannot be read is forgotten: it harms no other keyword. */
function withReadable(query: Keyword): Keyword {
  try {
    if (isOfNumbers(toKeywordStats(query, noShared, 1))) return query;
  } catch {}
  return { ...query, scans: {} };
}

/** Statistics have no texts, and no number that is none. */
function isOfNumbers(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).every(isOfNumbers);
  return typeof value !== "string" && !Number.isNaN(value);
}

const noShared = shareMoments([]);
const totalsTtlMs = 60_000;
const queriesTtlMs = 2000;

export type PlannerState = ReturnType<typeof createPlannerState>;

/** What the planner decides by. The threshold and the losses of late survive restarts, the rest is read anew. */
export function createPlannerState(
  db: Db,
  rules: DayRules,
  given?: GivenStatistics,
  readPart: ReadPart = readWhole,
) {
  const kept = createThresholdState(db);
  const backoffs = createListBackoffs(db);
  let totals: Totals | null = null;
  let maxAgeDays = horizonDays;
  let queries: Keyword[] = [];
  let keywords = new Map<number, KeywordStats>();
  let shared = shareMoments([]);
  let meanWeight = importance(null, 0);
  const drawn = createDrawn();
  let totalsAtMs = -Infinity;
  let queriesAtMs = -Infinity;
  let writes = 0;
  let mayAsk = { byKeyword: true, byProduct: true };

  const totalsNow = () => ({ ...(totals ?? emptyTotals), burst: burstOf(kept.losses()) });
  const toStats = (query: Keyword) => toKeywordStats(query, shared, meanWeight);
  const toKeywords = () => new Map(queries.map((query) => [query.id, toStats(query)]));

  function followRows(): void {
    shared = shareMoments(queries.map(({ scans }) => momentsOf(scans.reading)));
    keywords = toKeywords();
  }

  /** Reads again if a row was written during reading, so that no plan misses the latest answer. */
  async function readRows(nowMs: number): Promise<void> {
    let seen: number;
    do {
      seen = writes;
      const read = await readPart("keywords", () => readKeywords(db, new Date(nowMs)));
      const failed = await readPart("failed subjects", backoffs.read);
      queries = read ?? queries;
      mayAsk = { byKeyword: read !== undefined, byProduct: failed !== undefined };
    } while (seen !== writes);
    queriesAtMs = nowMs;
    try {
      followRows();
      if (isOfNumbers([...keywords.values()])) return;
    } catch {}
    queries = queries.map(withReadable);
    followRows();
  }

  return {
    /** The day's budget. */
    callsPerDay: rules.dailyLimit,
    firesOf: rules.firesOf,
    threshold: kept.threshold,
    /** The threshold follows the value of the call that is made. */
    follow: kept.follow,
    readPart,
    /** What can be asked for now: pages of keywords need their rows, batches of products what has failed of late. */
    mayAsk: () => mayAsk,
    /** Which lists of keywords, and other failed subjects, are left alone now. */
    backoffs,
    totals: totalsNow,
    /** What the statistics of products are read with. */
    context: (): ReadContext => ({ totals: totalsNow(), keywords }),
    /** The latest sample of a keyword's products, most important first, as last checked by this process. */
    drawn(queryId: number): readonly ItemStats[] {
      const keyword = keywords.get(queryId) ?? null;
      return drawn.of(queryId).map((item) => ({ ...item, keyword }));
    },
    setDrawn(sample: readonly ItemStats[]): void {
      drawn.replace(sample);
      if (sample.length === 0) return;
      meanWeight = sample.reduce((sum, { weight }) => sum + weight, 0) / sample.length;
      keywords = toKeywords();
    },
    /** See `learn`; what it has shown of the sample is up to date again. */
    async learn(
      tx: Tx,
      observed: readonly Observed[],
      of: Pick<LearningContext, "at" | "queryId" | "byFeed">,
    ): Promise<Learned[]> {
      const context = {
        totals: totalsNow(),
        keywords,
        given,
        threshold: kept.threshold(),
        maxAgeDays,
        ...of,
      };
      const learned = await learn(tx, observed, context);
      for (const { item, lossExpected } of learned) {
        kept.addLosses({ seen: 0, expected: lossExpected }, item.checkedAt);
        drawn.update(item);
      }
      return learned;
    },
    /** See `learnLosses`. */
    async learnLosses(
      tx: Tx,
      sighting: Sighting,
      of: { shopId: string; shown: number },
    ): Promise<void> {
      const lost = await learnLosses(tx, sighting, of, totalsNow());
      kept.addLosses(lost, toDays(sighting.sentAt));
    },
    /** Days after which a product is due whatever its value. */
    maxAgeDays: () => maxAgeDays,
    /** The mean importance of a product, by the sample. */
    meanWeight: () => meanWeight,
    keywords: (): ReadonlyMap<number, KeywordStats> => keywords,
    statsOf: (query: Keyword) => keywords.get(query.id) ?? toStats(query),
    /** Those that are enabled and do not back off. */
    queries: (): readonly Keyword[] => queries,
    /** Reads what is out of date, or was read while a clock was ahead; to be called before planning. */
    async refresh(nowMs: number): Promise<void> {
      backoffs.setNow(nowMs);
      if (Math.abs(nowMs - totalsAtMs) > totalsTtlMs) {
        await readPart("statistics", async () => {
          if (totals === null) await kept.load();
          totals = await readTotals(db);
        });
        const readMaxAge = () => readMaxAgeDays(db, new Date(nowMs), rules);
        maxAgeDays = (await readPart("maximum age", readMaxAge)) ?? maxAgeDays;
        totalsAtMs = nowMs;
      }
      if (Math.abs(nowMs - queriesAtMs) > queriesTtlMs) await readRows(nowMs);
    },
    /** A query's row was written: the queries are read again. */
    touch(): void {
      writes += 1;
      queriesAtMs = -Infinity;
    },
    save: kept.save,
  };
}

/** A sample of products, by keyword. */
function createDrawn() {
  let byKeyword = new Map<number, Map<number, ItemStats>>();
  const ofSameKeyword = ({ keyword }: ItemStats) => keyword && byKeyword.get(keyword.keywordId);
  return {
    /** Most important first. */
    of: (keywordId: number) => [...(byKeyword.get(keywordId)?.values() ?? [])],
    replace(sample: readonly ItemStats[]): void {
      byKeyword = new Map();
      for (const item of sample.toSorted((a, b) => b.weight - a.weight)) {
        if (item.keyword === null) continue;
        const others = ofSameKeyword(item);
        if (others) others.set(item.itemId, item);
        else byKeyword.set(item.keyword.keywordId, new Map([[item.itemId, item]]));
      }
    },
    /** Of a product that is in it. */
    update(item: ItemStats): void {
      const others = ofSameKeyword(item);
      if (others?.has(item.itemId)) others.set(item.itemId, item);
    },
  };
}

const emptyTotals: Totals = {
  sum: { changes: 0, days: 0 },
  losses: { losses: 0, lossDays: 0 },
  burst: 1,
  bumps: { bumped: 0, silent: 0 },
  goneWeight: 1,
  scanned: noScannedDays,
  factors: new Map(),
  lossFactors: new Map(),
};

/**
 * The threshold follows the values of the calls made: it rises while better calls are to be had, and falls
 * while none is due. `calls`: made since the threshold is kept; the first ones count more. A threshold far
 * below the value rises at once: it dates from a time when everything had just been checked.
 */
export function nextThreshold(threshold: number, value: number, calls: number): number {
  if (threshold <= 0) return value;
  const step = Math.max(0.02, 1 / (0.3 * calls + 2));
  const ahead = Math.log(Math.max(value, 1e-300) / threshold);
  return threshold * Math.exp(step * Math.max(-1, Math.min(1, ahead)) + Math.max(0, ahead - 1) / 4);
}

const settingKey = "crawl_price";
/** It is stored this often; a crash loses its changes since. */
const saveEveryMs = 5000;
const saved = z.object({
  price: z.number(),
  calls: z.number(),
  losses: recentLosses.default(noLosses),
});

/** The threshold and the losses of late. They survive restarts. */
export function createThresholdState(db: Db) {
  let threshold = 0;
  /** Calls that the threshold has followed. */
  let calls = 0;
  let losses = noLosses;
  let savedAtMs = -Infinity;
  return {
    threshold: () => threshold,
    losses: () => losses,
    follow(value: number): void {
      if (!Number.isFinite(value)) return;
      threshold = nextThreshold(threshold, value, calls);
      calls += 1;
    },
    addLosses(more: Losses, at: number): void {
      losses = addLosses(losses, more, at);
    },
    async load(): Promise<void> {
      const found = await readSetting(db, settingKey, saved);
      if (found) ({ price: threshold, calls, losses } = found);
    },
    async save(tx: Tx, at: Date): Promise<void> {
      if (Math.abs(at.getTime() - savedAtMs) < saveEveryMs) return;
      savedAtMs = at.getTime();
      await putSetting(tx, settingKey, { price: threshold, calls, losses }, at);
    },
  };
}
