import { isDeepStrictEqual } from "node:util";
import { sql, type SQL } from "drizzle-orm";
import { readStoredProducts, type StoredProduct } from "../../../catalog/products.ts";
import type { Db, Tx } from "../../../db/open.ts";
import { recordset, type RowOf, toRecords } from "../../../db/rows.ts";
import type { DocumentBuilder } from "../../index/document.ts";
import type { Engine } from "../../engine/engine.ts";
import { markDirty, type BatchRow } from "../writes/batch.ts";
import { andPlaced } from "../indexes/hosts.ts";

export interface VerifyReport {
  /** Ranges of about 1,000 products that were compared. */
  buckets: number;
  documents: number;
  /** In the catalogue and acknowledged, but not in the index. */
  missing: number;
  /** In both, with another version or, where contents are compared, another content. */
  stale: number;
  /** In the index but not in the catalogue. */
  stray: number;
  /** How many of these were marked for repair; the others exceeded `maxRepairs`. */
  repaired: number;
}

export interface VerifyOptions {
  db: Db;
  engine: Engine;
  /** Compare whole documents with what this makes of the products; null: only their versions. */
  toDocument: DocumentBuilder | null;
  /** At most this many rows are repaired per pass. A lost index is detected by the mirror itself. */
  maxRepairs?: number;
}

export const defaultMaxRepairs = 5000;
/** More than any range has, unless others write the index too; a later pass finds what is beyond. */
export const fetchLimit = 20_000;

export const nothingVerified: VerifyReport = {
  buckets: 0,
  documents: 0,
  missing: 0,
  stale: 0,
  stray: 0,
  repaired: 0,
};

/** Ids above `after` up to `upTo`; null: all above. */
interface IdRange {
  after: number;
  upTo: number | null;
}

/** Below all ids. */
export const beforeAll = Number.MIN_SAFE_INTEGER;
const rowsAtOnce = 1000;

/**
 * Proves that index and catalogue are equal in the next 1,000 products after an id: ids and versions, and
 * on request whole documents, not only counts. Pending rows are left out. Differences are marked dirty, so that
 * the mirror stays the only writer; a row that changed since it was read is not marked. `next` is the
 * id to go on after; null at the end.
 */
export async function verifyAfter(
  options: VerifyOptions,
  indexUid: string,
  after: number,
): Promise<{ report: VerifyReport; next: number | null }> {
  const range = await rangeAfter(options.db, indexUid, after);
  const entered = await enterRange(options.db, indexUid, range);
  const known = await readRows(options, indexUid, range);
  const documents = await options.engine.fetchDocuments(indexUid, {
    filter: [`id > ${after}`, ...(range.upTo === null ? [] : [`id <= ${range.upTo}`])].join(
      " AND ",
    ),
    ...(options.toDocument ? {} : { fields: ["id", "_ver"] }),
    limit: fetchLimit,
  });
  const report: VerifyReport = {
    ...nothingVerified,
    buckets: 1,
    documents: documents.length,
    missing: entered,
    repaired: entered,
  };
  const ours = new Map(
    documents.flatMap((d) => (Number.isSafeInteger(d.id) ? [[Number(d.id), d]] : [])),
  );
  await repair(options, indexUid, compare(options, known, ours), report);
  // The engine compares texts too, letter by letter.
  const isForeign = ({ id }: Record<string, unknown>) => !Number.isSafeInteger(id);
  const deleted = await deleteAll(options, indexUid, documents.filter(isForeign));
  report.stray += deleted;
  report.repaired += deleted;
  return { report, next: range.upTo };
}

/** Ends where there are 1,000 rows or products, so that a range has no more of either. */
async function rangeAfter(db: Db, indexUid: string, after: number): Promise<IdRange> {
  const [row] = await db.execute<{ up_to: number | null }>(sql`
    select least(
      (select item_id from mirror where index_uid = ${indexUid} and item_id > ${after}
        order by item_id offset ${rowsAtOnce - 1} limit 1),
      (select item_id from product where item_id > ${after}
        order by item_id offset ${rowsAtOnce - 1} limit 1)) as up_to`);
  return { after, upTo: row?.up_to ?? null };
}

const within = (column: SQL, { after, upTo }: IdRange) =>
  sql`${column} > ${after} and ${column} <= ${upTo ?? Number.MAX_SAFE_INTEGER}`;

/** Nothing is repaired in an index that was replaced meanwhile, whose rows are gone. */
const isKept = (indexUid: string) =>
  sql`exists (select from mirror_index where index_uid = ${indexUid} and state <> 'retired')`;

/** Inserts rows for products that no trigger and no rebuild has inserted; normally there are none. */
async function enterRange(db: Db, indexUid: string, range: IdRange): Promise<number> {
  const entered = await db.execute(sql`
    insert into mirror (index_uid, item_id, desired_version, dirty_since, next_at)
    select ${indexUid}, item_id, 1, clock_timestamp(), clock_timestamp() from product p
    where ${isKept(indexUid)} and ${within(sql`item_id`, range)}
      and state <> 'gone'${andPlaced(indexUid, sql`item_id`)} and not exists (
      select from mirror m where m.index_uid = ${indexUid} and m.item_id = p.item_id)
    order by item_id on conflict do nothing returning item_id`);
  return entered.length;
}

interface KnownRow {
  desiredVersion: number;
  indexedVersion: number;
  /** A change is pending that its row does not show yet: a new name of its shop, or a lost index. */
  isToFollow: boolean;
  isLiving: boolean;
  /** null: deleted, unknown, or only versions are compared. */
  product: StoredProduct | null;
}

type ReadRow = Omit<KnownRow, "isToFollow" | "product"> & { itemId: number; isLost: boolean };

/** Reads rows and products in one snapshot. */
async function readRows(
  options: VerifyOptions,
  indexUid: string,
  range: IdRange,
): Promise<Map<number, KnownRow>> {
  return options.db.transaction(
    async (tx) => {
      const found = await tx.execute<RowOf<ReadRow>>(sql`
        select m.item_id, desired_version, indexed_version,
          coalesce(p.state <> 'gone', false)${andPlaced(indexUid, sql`m.item_id`)} as is_living,
          exists (select from mirror_index where index_uid = ${indexUid} and reset_after is not null) as is_lost
        from mirror m left join product p on p.item_id = m.item_id and ${within(sql`p.item_id`, range)}
        where index_uid = ${indexUid} and ${within(sql`m.item_id`, range)}`);
      const rows = toRecords<ReadRow>(found, {});
      const living = rows.filter((row) => row.isLiving).map((row) => row.itemId);
      const products = options.toDocument ? await readStoredProducts(tx, living) : null;
      const renamed = options.toDocument ? await readRenamedShops(tx) : null;
      return new Map(
        rows.map(({ itemId, isLost, ...row }) => {
          const product = products?.get(itemId) ?? null;
          const isRenamed = product !== null && renamed?.has(product.shop.shopId) === true;
          return [itemId, { ...row, isToFollow: isLost || isRenamed, product }];
        }),
      );
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function readRenamedShops(tx: Tx): Promise<Set<string>> {
  const renames = await tx.execute<{ shop_id: string }>(sql`select shop_id from shop_rename`);
  return new Set(renames.map((row) => row.shop_id));
}

/** Documents that no range has; their ids are no numbers. Returns how many it deleted. */
export async function deleteForeign(options: VerifyOptions, indexUid: string): Promise<number> {
  const documents = await options.engine.fetchDocuments(indexUid, {
    filter: `NOT id >= ${beforeAll}`,
    fields: ["id"],
    limit: fetchLimit,
  });
  return deleteAll(options, indexUid, documents);
}

/** Deletes here what the mirror cannot address. */
async function deleteAll(
  { engine }: VerifyOptions,
  indexUid: string,
  documents: readonly Record<string, unknown>[],
): Promise<number> {
  if (documents.length === 0) return 0;
  const ids = documents.map(({ id }) => String(id));
  await engine.awaitTask(await engine.deleteDocuments(indexUid, ids), 30_000);
  return ids.length;
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
    else if (!row.isLiving) differences.stray.push([id, row.desiredVersion]);
    else if (!isSame(options, document, row)) differences.stale.push([id, row.desiredVersion]);
  }
  for (const [id, row] of known) {
    const due = !isPending(row) && row.isLiving;
    if (due && !documents.has(id)) differences.missing.push([id, row.desiredVersion]);
  }
  return differences;
}

function isPending({ desiredVersion, indexedVersion, isToFollow }: KnownRow): boolean {
  return desiredVersion !== indexedVersion || isToFollow;
}

function isSame(
  { toDocument }: VerifyOptions,
  document: Record<string, unknown>,
  { product, indexedVersion }: KnownRow,
): boolean {
  if (!toDocument || !product) return document._ver === indexedVersion;
  return isDeepStrictEqual(
    document,
    JSON.parse(JSON.stringify(toDocument(product, indexedVersion))),
  );
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
  const ids = mended.map(([id]) => id);
  await markDirty(options.db, indexUid, ids);
  report.repaired += mended.length;
}

/** The rows that did not change between the two reads. A changed row proves nothing and is pending anyway. */
async function readUnchanged(
  db: Db,
  indexUid: string,
  rows: readonly BatchRow[],
): Promise<Set<number>> {
  const read = rows.map(([item_id, version]) => ({ item_id, version }));
  const unchanged = await db.execute<{ item_id: number }>(sql`
    select b.item_id from ${recordset(read, "b(item_id bigint, version bigint)")}
    left join mirror m on m.index_uid = ${indexUid} and m.item_id = b.item_id
    where ${isKept(indexUid)} and case when m.item_id is null then b.version = 0 else m.desired_version = b.version and m.indexed_version = b.version end`);
  return new Set(unchanged.map((row) => row.item_id));
}
