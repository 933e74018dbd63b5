import type { Db } from "../../db/open.ts";
import { setting } from "../../db/schema.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import {
  bucketsFrom,
  defaultMaxRepairs,
  fetchLimit,
  nothingVerified,
  repairOrphans,
  verifyBuckets,
  type VerifyOptions,
  type VerifyReport,
} from "./reconcile.ts";
import { bucketCount, toDocument } from "../index/document.ts";
import type { Engine } from "../engine/engine.ts";
import { enterProducts } from "./indexes.ts";
import { readServingIndex } from "./serving-index.ts";

/** All buckets, and documents without a bucket, which the mirror never writes. */
export async function verifyIndex(
  options: VerifyOptions,
  indexUid: string,
  signal?: AbortSignal,
): Promise<VerifyReport> {
  const entered = await enterAllProducts(options.db, indexUid);
  const report = { ...nothingVerified, missing: entered, repaired: entered };
  const maxRepairs = options.maxRepairs ?? defaultMaxRepairs;
  while (report.buckets < bucketCount && !signal?.aborted) {
    const buckets = await bucketsFrom(options.db, indexUid, report.buckets);
    const left = { ...options, maxRepairs: Math.max(0, maxRepairs - report.repaired) };
    addTo(report, await verifyBuckets(left, indexUid, buckets));
  }
  const orphans = await options.engine.fetchDocuments(indexUid, {
    filter: "bucket NOT EXISTS",
    limit: fetchLimit,
  });
  await repairOrphans(options, indexUid, orphans, report);
  return report;
}

function addTo(report: VerifyReport, part: VerifyReport): void {
  report.buckets += part.buckets;
  report.documents += part.documents;
  report.missing += part.missing;
  report.stale += part.stale;
  report.stray += part.stray;
  report.repaired += part.repaired;
}

/** Inserts rows for products that no trigger and no rebuild has inserted. Normally there are none. */
async function enterAllProducts(db: Db, indexUid: string): Promise<number> {
  let total = 0;
  let after: number | null = 0;
  while (after !== null) {
    const { next, entered }: { next: number | null; entered: number } = await enterProducts(
      db,
      indexUid,
      after,
    );
    total += entered;
    after = next;
  }
  return total;
}

export interface VerifyMirrorOptions {
  db: Db;
  engine: Engine;
  clock: Clock;
  logger: Logger;
  indexPrefix?: string;
}

/** The result of the last check of the serving index, stored for all processes. */
export interface StoredVerify extends VerifyReport {
  indexUid: string;
  startedAt: string;
  finishedAt: string;
}

export const verifySettingKey = "verify_mirror";

/** Checks the serving index and stores the result for `readMirrorStatus`; null if there is no index yet. */
export async function verifyMirror(
  options: VerifyMirrorOptions,
  signal?: AbortSignal,
): Promise<VerifyReport | null> {
  const { db, engine, clock, logger } = options;
  const indexUid = await readServingIndex(db, options.indexPrefix);
  if (indexUid === null) return null;
  const startedAt = clock.now().toISOString();
  const report = await verifyIndex({ db, engine, toDocument }, indexUid, signal);
  const finishedAt = clock.now();
  const value = { ...report, indexUid, startedAt, finishedAt: finishedAt.toISOString() };
  await db
    .insert(setting)
    .values({ key: verifySettingKey, value, updatedAt: finishedAt })
    .onConflictDoUpdate({ target: setting.key, set: { value, updatedAt: finishedAt } });
  const differences = report.missing + report.stale + report.stray;
  logger[differences > 0 ? "warn" : "info"]({ index: indexUid, ...report }, "mirror verified");
  return report;
}
