import { sql } from "drizzle-orm";
import { readCountsOf } from "../../../catalog/counts.ts";
import type { Db } from "../../../db/open.ts";
import { putSetting } from "../../../db/settings.ts";
import { dayMs } from "../../../lib/calendar.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isRecord } from "../../../lib/is-record.ts";
import type { Logger } from "../../../lib/logger.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Embedder } from "../../index/embedder.ts";
import { settingsHash } from "../../index/settings.ts";
import { documentBuilderOf, hostOf } from "../indexes/hosts.ts";
import { defaultIndexPrefix, readMirrorIndexes } from "../indexes/indexes.ts";
import { readServingIndex } from "../indexes/serving-index.ts";
import {
  beforeAll,
  defaultMaxRepairs,
  deleteForeign,
  nothingVerified,
  verifyAfter,
  type VerifyOptions,
  type VerifyReport,
} from "./reconcile.ts";

/** A comparison of all ids, and how far it has come. */
interface Round extends VerifyReport {
  indexUid: string;
  startedAt: string;
  /** Compared up to this id; null: all are. */
  after: number | null;
}

const beginRound = (indexUid: string, now: Date): Round => ({
  ...nothingVerified,
  indexUid,
  startedAt: now.toISOString(),
  after: beforeAll,
});

/** Compares the next ids; at the end also looks for documents that are no products. */
async function goOn(options: VerifyOptions, round: Round, repairedBefore: number): Promise<Round> {
  if (round.after === null) return round;
  const left = (options.maxRepairs ?? defaultMaxRepairs) - (round.repaired - repairedBefore);
  const maxRepairs = Math.max(0, left);
  const { report, next } = await verifyAfter(
    { ...options, maxRepairs },
    round.indexUid,
    round.after,
  );
  const foreign = next === null ? await deleteForeign(options, round.indexUid) : 0;
  return {
    ...round,
    after: next,
    buckets: round.buckets + report.buckets,
    documents: round.documents + report.documents,
    missing: round.missing + report.missing,
    stale: round.stale + report.stale,
    stray: round.stray + report.stray + foreign,
    repaired: round.repaired + report.repaired + foreign,
  };
}

/** All ids at once. */
export async function verifyIndex(
  options: VerifyOptions,
  indexUid: string,
  signal?: AbortSignal,
): Promise<VerifyReport> {
  let round = beginRound(indexUid, new Date(0));
  while (round.after !== null && !signal?.aborted) round = await goOn(options, round, 0);
  const { buckets, documents, missing, stale, stray, repaired } = round;
  return { buckets, documents, missing, stale, stray, repaired };
}

export interface VerifyMirrorOptions {
  db: Db;
  engine: Engine;
  clock: Clock;
  logger: Logger;
  indexPrefix?: string;
  /** That of the mirror; null, as by default: documents have no vectors. */
  embedder?: Embedder | null;
}

/** The result of the last check of the serving index, stored for all processes. */
export interface StoredVerify extends VerifyReport {
  indexUid: string;
  startedAt: string;
  finishedAt: string;
}

/** Every search host has its own result. */
export const verifySettingKey = (indexUid: string) => `verify_mirror${hostSuffix(indexUid)}`;
const roundSettingKey = (indexUid: string) => `verify_mirror_round${hostSuffix(indexUid)}`;

function hostSuffix(indexUid: string): string {
  const host = hostOf(indexUid);
  return host === 0 ? "" : `:h${host}`;
}

/** null: there is no index yet. outdated: its documents have another form than this version's, so that all would differ. */
export type Verdict = VerifyReport | "outdated" | null;

/** Checks the whole of the serving index, contents too. Begins anew if another one replaces it. */
export async function verifyMirror(
  options: VerifyMirrorOptions,
  signal?: AbortSignal,
): Promise<Verdict> {
  const { db, engine, clock, embedder = null } = options;
  const startedAt = clock.now().toISOString();
  const readServing = async () => {
    const indexes = await readMirrorIndexes(db, options.indexPrefix ?? defaultIndexPrefix);
    return indexes.find(({ state }) => state === "serving");
  };
  for (let serving = await readServing(); serving;) {
    const { indexUid } = serving;
    const hash = settingsHash({ embedder, isPlaced: hostOf(indexUid) > 0 });
    if (serving.settingsHash !== hash) return "outdated";
    const verified = { db, engine, toDocument: documentBuilderOf(indexUid) };
    const report = await verifyIndex(verified, indexUid, signal);
    if (signal?.aborted) return report;
    serving = await readServing();
    if (serving?.indexUid === indexUid) {
      await storeVerify(options, { ...report, indexUid, startedAt });
      return report;
    }
  }
  return null;
}

/** Ranges that every run compares: all of a catalogue of up to 100,000 products. */
const leastRanges = 100;
const rowsPerRange = 1000;

/**
 * Compares as many versions as make a whole round a day, however often it is called, and at least
 * 100,000. A stopped one goes on where it was.
 */
export async function verifyShare(
  options: VerifyMirrorOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { db, engine, clock } = options;
  const indexUid = await readServingIndex(db, options.indexPrefix);
  if (indexUid === null) return;
  const stored = await readRound(db, indexUid);
  const elapsedMs = stored ? clock.now().getTime() - stored.updatedAt.getTime() : 0;
  const isSame =
    stored !== null && stored.round.indexUid === indexUid && stored.round.after !== null;
  let round = isSame ? stored.round : beginRound(indexUid, clock.now());
  const counts = await readCountsOf(db, `mirror ${indexUid}`, ["rows"]);
  const ranges = Math.ceil(((counts.get("rows") ?? 0) / rowsPerRange) * (elapsedMs / dayMs));
  const repairedBefore = round.repaired;
  for (let n = Math.max(leastRanges, ranges); n > 0 && !signal?.aborted; n -= 1) {
    round = await goOn({ db, engine, toDocument: null }, round, repairedBefore);
    await putSetting(db, roundSettingKey(indexUid), round, clock.now());
    if (round.after === null) break;
  }
  if (round.after !== null) return;
  const { after: _, ...report } = round;
  await storeVerify(options, report);
}

async function readRound(
  db: Db,
  indexUid: string,
): Promise<{ round: Round; updatedAt: Date } | null> {
  const [row] = await db.execute<{ value: Round; updated_at: string }>(sql`
    select value, updated_at from setting where key = ${roundSettingKey(indexUid)}`);
  return row && isRecord(row.value)
    ? { round: row.value, updatedAt: new Date(row.updated_at) }
    : null;
}

async function storeVerify(
  { db, clock, logger }: VerifyMirrorOptions,
  report: Omit<StoredVerify, "finishedAt">,
): Promise<void> {
  const finishedAt = clock.now();
  await putSetting(
    db,
    verifySettingKey(report.indexUid),
    { ...report, finishedAt: finishedAt.toISOString() },
    finishedAt,
  );
  const differences = report.missing + report.stale + report.stray;
  logger[differences > 0 ? "warn" : "info"](
    { index: report.indexUid, ...report },
    "mirror verified",
  );
}
