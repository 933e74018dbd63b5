import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { readStoredProducts, type StoredProduct } from "../../catalog/products.ts";
import { idList } from "../../db/lists.ts";
import type { Db } from "../../db/open.ts";
import { bucketCount, type DocumentBuilder } from "../index/document.ts";
import type { Engine } from "../engine/engine.ts";
import { markDirty, type BatchRow } from "./batch.ts";

export interface VerifyReport {
  buckets: number;
  documents: number;
  /** In the catalogue and acknowledged, but not in the index. */
  missing: number;
  /** In both, with different content or version. */
  stale: number;
  /** In the index but not in the catalogue. */
  stray: number;
  /** How many of these were marked for repair; the others exceeded `maxRepairs`. */
  repaired: number;
}

export interface VerifyOptions {
  db: Db;
  engine: Engine;
  toDocument: DocumentBuilder;
  /** At most this many rows are repaired per pass. A lost index is detected by the mirror itself. */
  maxRepairs?: number;
}

export const defaultMaxRepairs = 5000;
/** More than any filter here finds. Paging would skip documents while others are added and deleted. */
export const fetchLimit = 1_000_000;

export const nothingVerified: VerifyReport = {
  buckets: 0,
  documents: 0,
  missing: 0,
  stale: 0,
  stray: 0,
  repaired: 0,
};

/**
 * Proves that index and catalogue are equal in these buckets: ids, versions and whole documents, not
 * only counts. Pending rows are left out. Differences are marked dirty, so that the mirror stays the
 * only writer; a row that changed since it was read is not marked.
 */
export async function verifyBuckets(
  options: VerifyOptions,
  indexUid: string,
  buckets: readonly number[],
): Promise<VerifyReport> {
  const known = await readRows(options.db, indexUid, buckets);
  const filter = `bucket IN [${buckets.join(", ")}]`;
  const documents = await options.engine.fetchDocuments(indexUid, { filter, limit: fetchLimit });
  const report = { ...nothingVerified, buckets: buckets.length, documents: documents.length };
  const ours = new Map(
    documents.flatMap((d) => (Number.isSafeInteger(d.id) ? [[Number(d.id), d]] : [])),
  );
  await repair(options, indexUid, compare(options, known, ours), report);
  const orphans = documents.filter((document) => !Number.isSafeInteger(document.id));
  await repairOrphans(options, indexUid, orphans, report);
  return report;
}

const rowsAtOnce = 2000;

/** The next buckets from `first` to compare together: about 2,000 documents. */
export async function bucketsFrom(db: Db, indexUid: string, first: number): Promise<number[]> {
  const [row] = await db.execute<{ rows: number }>(sql`
    select count(*) as rows from mirror where index_uid = ${indexUid}`);
  const perBucket = Math.max(1, (row?.rows ?? 0) / bucketCount);
  const length = Math.min(bucketCount - first, Math.max(1, Math.floor(rowsAtOnce / perBucket)));
  return Array.from({ length }, (_, i) => first + i);
}

interface KnownRow {
  desiredVersion: number;
  indexedVersion: number;
  /** A change is pending that its row does not show yet: a new name of its shop, or a lost index. */
  isToFollow: boolean;
  /** null: deleted or unknown. */
  product: StoredProduct | null;
}

/** Reads rows and products in one snapshot. */
async function readRows(
  db: Db,
  indexUid: string,
  buckets: readonly number[],
): Promise<Map<number, KnownRow>> {
  return db.transaction(
    async (tx) => {
      const rows = await tx.execute<{
        item_id: number;
        desired_version: number;
        indexed_version: number;
      }>(sql`
        select item_id, desired_version, indexed_version from mirror
        where index_uid = ${indexUid} and item_id % ${bucketCount} in ${idList(buckets)}`);
      const products = await readStoredProducts(
        tx,
        rows.map((row) => row.item_id),
      );
      const renames = await tx.execute<{ shop_id: string }>(sql`select shop_id from shop_rename`);
      const renamed = new Set(renames.map((row) => row.shop_id));
      const lost = await tx.execute(sql`
        select from mirror_index where index_uid = ${indexUid} and reset_after is not null`);
      return new Map(
        rows.map(({ item_id, desired_version, indexed_version }) => {
          const known = products.get(item_id);
          const product = known && known.state !== "gone" ? known : null;
          const isToFollow =
            lost.length > 0 || (product !== null && renamed.has(product.shop.shopId));
          return [
            item_id,
            {
              desiredVersion: desired_version,
              indexedVersion: indexed_version,
              isToFollow,
              product,
            },
          ];
        }),
      );
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/**
 * Repairs documents that the mirror has not written. If the id is a possible product id, the mirror
 * replaces or deletes the document; others are deleted here, because the mirror cannot address them.
 */
export async function repairOrphans(
  { db, engine }: VerifyOptions,
  indexUid: string,
  orphans: readonly Record<string, unknown>[],
  report: VerifyReport,
): Promise<void> {
  if (orphans.length === 0) return;
  const ours: number[] = [];
  const foreign: string[] = [];
  for (const { id } of orphans) {
    if (typeof id === "number" && Number.isSafeInteger(id)) ours.push(id);
    else foreign.push(String(id));
  }
  await markDirty(db, indexUid, ours);
  if (foreign.length > 0) {
    await engine.awaitTask(await engine.deleteDocuments(indexUid, foreign), 30_000);
  }
  report.stray += orphans.length;
  report.repaired += orphans.length;
}

interface Differences {
  missing: BatchRow[];
  stale: BatchRow[];
  stray: BatchRow[];
}

/** The rows that differ, with the version that was read; 0 if the mirror has no row. */
function compare(
  options: VerifyOptions,
  known: ReadonlyMap<number, KnownRow>,
  documents: ReadonlyMap<number, Record<string, unknown>>,
): Differences {
  const differences: Differences = { missing: [], stale: [], stray: [] };
  for (const [id, document] of documents) {
    const row = known.get(id);
    if (!row) differences.stray.push([id, 0]);
    else if (isPending(row)) continue;
    else if (!row.product) differences.stray.push([id, row.desiredVersion]);
    else if (!isSame(document, options.toDocument(row.product, row.indexedVersion))) {
      differences.stale.push([id, row.desiredVersion]);
    }
  }
  for (const [id, row] of known) {
    const due = !isPending(row) && row.product !== null;
    if (due && !documents.has(id)) differences.missing.push([id, row.desiredVersion]);
  }
  return differences;
}

function isPending({ desiredVersion, indexedVersion, isToFollow }: KnownRow): boolean {
  return desiredVersion !== indexedVersion || isToFollow;
}

function isSame(document: Record<string, unknown>, expected: object): boolean {
  return isDeepStrictEqual(document, JSON.parse(JSON.stringify(expected)));
}

async function repair(
  options: VerifyOptions,
  indexUid: string,
  found: Differences,
  report: VerifyReport,
): Promise<void> {
  const rows = [...found.stray, ...found.missing, ...found.stale];
  if (rows.length === 0) return;
  const still = await readUnchanged(options.db, indexUid, rows);
  const isReal = ([id]: BatchRow) => still.has(id);
  report.missing += found.missing.filter(isReal).length;
  report.stale += found.stale.filter(isReal).length;
  report.stray += found.stray.filter(isReal).length;
  const left = Math.max(0, (options.maxRepairs ?? defaultMaxRepairs) - report.repaired);
  const mended = rows.filter(isReal).slice(0, left);
  await markDirty(
    options.db,
    indexUid,
    mended.map(([id]) => id),
  );
  report.repaired += mended.length;
}

/** The rows that did not change between the two reads. A changed row proves nothing and is pending anyway. */
async function readUnchanged(
  db: Db,
  indexUid: string,
  rows: readonly BatchRow[],
): Promise<Set<number>> {
  const json = JSON.stringify(rows.map(([item_id, version]) => ({ item_id, version })));
  const unchanged = await db.execute<{ item_id: number }>(sql`
    select b.item_id from json_to_recordset(${json}::text::json) as b(item_id bigint, version bigint)
    left join mirror m on m.index_uid = ${indexUid} and m.item_id = b.item_id
    where case when m.item_id is null then b.version = 0 else m.desired_version = b.version and m.indexed_version = b.version end`);
  return new Set(unchanged.map((row) => row.item_id));
}
