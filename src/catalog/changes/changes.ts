import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import type { productChange } from "../../db/schema.ts";
import type { ChangeCursor } from "./change-cursor.ts";
import { readProducts, type ProductRecord } from "../products.ts";

export type ChangeKind = (typeof productChange.$inferSelect)["kind"];

export interface Change {
  cursor: ChangeCursor;
  itemId: number;
  /** listed: part of the first reading of everything that lives. */
  kind: ChangeKind | "listed";
  /** At the time of reading; null: deleted by then. */
  record: ProductRecord | null;
}

export interface ChangePage {
  /** As `write` has written them. */
  items: string[];
  next: ChangeCursor;
  /** There is more to read now. */
  more: boolean;
  /** This database does not have yet what the reader has seen elsewhere: a replica that lags. */
  behind: boolean;
}

/** The cursor belongs to another order of changes, such as that before a restore. */
export class ForeignCursor extends Error {
  override readonly name = "ForeignCursor";
}

/** Products are read in parts, so that few large ones need no more memory than many small ones. */
const partSize = 100;

export interface ChangeRequest {
  /** null: from the beginning. */
  after: ChangeCursor | null;
  limit: number;
  /** The largest size of all items together. The first item alone may be larger. */
  maxBytes: number;
}

/**
 * The next changes. All is read in one snapshot of one connection, so that a product is never older than its
 * change, on a replica either.
 */
export async function readChanges(
  db: Db,
  request: ChangeRequest,
  write: (change: Change) => string,
): Promise<ChangePage> {
  return db.transaction(
    async (tx) => {
      const head = await readHead(tx);
      const after = request.after ?? { ...head, listedTo: 0 };
      if (after.epoch !== head.epoch) throw new ForeignCursor("the cursor is of another order");
      if (after.position > head.position)
        return { items: [], next: after, more: false, behind: true };
      const { rows, ...page } = await readPage(tx, after, request.limit);
      const items = await writeItems(tx, rows, request.maxBytes, write);
      const isCut = items.length < rows.length;
      return {
        items,
        next: isCut ? (rows[items.length - 1]?.cursor ?? after) : page.next,
        more: isCut || page.more,
        behind: false,
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** The order of changes and its last position, as the transaction sees them. */
export async function readHead(tx: Db | Tx): Promise<Pick<ChangeCursor, "epoch" | "position">> {
  const [head] = await tx.execute<{ epoch: string; position: number }>(
    sql`select epoch, position from change_head`,
  );
  if (!head) throw new Error("the order of changes has no head");
  return head;
}

type Found = Omit<Change, "record">;

async function readPage(
  tx: Tx,
  after: ChangeCursor,
  limit: number,
): Promise<{ rows: Found[]; next: ChangeCursor; more: boolean }> {
  if (after.listedTo !== null) return readListed(tx, after, after.listedTo, limit);
  const rows = await tx.execute<{ position: number; item_id: number; kind: ChangeKind }>(sql`
    select position, item_id, kind from product_change
    where position > ${after.position} order by position limit ${limit}`);
  const found = rows.map((row) => ({
    cursor: { ...after, position: row.position },
    itemId: row.item_id,
    kind: row.kind,
  }));
  return { rows: found, next: found.at(-1)?.cursor ?? after, more: found.length === limit };
}

/** Deleted products are passed over, but count: the page must end even where nothing lives. */
async function readListed(
  tx: Tx,
  after: ChangeCursor,
  listedTo: number,
  limit: number,
): Promise<{ rows: Found[]; next: ChangeCursor; more: boolean }> {
  const rows = await tx.execute<{ item_id: number; lives: boolean }>(sql`
    select item_id, state <> 'gone' as lives from product
    where item_id > ${listedTo} order by item_id limit ${limit}`);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  const found = rows
    .filter((row) => row.lives)
    .map((row) => ({
      cursor: { ...after, listedTo: row.item_id },
      itemId: row.item_id,
      kind: "listed" as const,
    }));
  // Behind the last product come the changes since the beginning of the reading.
  return { rows: found, next: { ...after, listedTo: last?.item_id ?? null }, more: true };
}

async function writeItems(
  tx: Tx,
  rows: readonly Found[],
  maxBytes: number,
  write: (change: Change) => string,
): Promise<string[]> {
  const items: string[] = [];
  let bytes = 0;
  for (let from = 0; from < rows.length; from += partSize) {
    const part = rows.slice(from, from + partSize);
    const records = await readProducts(tx, [...new Set(part.map(({ itemId }) => itemId))]);
    for (const row of part) {
      const record = records.get(row.itemId);
      const item = write({ ...row, record: record && !record.deletedAt ? record : null });
      bytes += Buffer.byteLength(item);
      if (bytes > maxBytes && items.length > 0) return items;
      items.push(item);
    }
  }
  return items;
}

/** Everything that lives, as one snapshot shows it. */
export interface LivingProducts {
  /** The changes behind it make every later state: one that the snapshot lacks has no position yet in it. */
  cursor: ChangeCursor;
  pages(): AsyncGenerator<ProductRecord[]>;
}

/** Between two statements: for as long as a slow disk takes. */
const idle = "5min";
const idsPerStatement = 1000;
/** Products may be large, so few are read at once. */
const livingPart = 200;

/** Runs `work` with a snapshot that stays the same while it reads. */
export async function withLivingProducts<T>(
  db: Db,
  work: (living: LivingProducts) => Promise<T>,
): Promise<T> {
  return db.transaction(
    async (tx) => {
      await tx.execute(
        sql`select set_config('idle_in_transaction_session_timeout', ${idle}, true)`,
      );
      const cursor = { ...(await readHead(tx)), listedTo: null };
      return work({ cursor, pages: () => readLiving(tx) });
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function* readLiving(tx: Tx): AsyncGenerator<ProductRecord[]> {
  let after = 0;
  for (;;) {
    const rows = await tx.execute<{ item_id: number }>(sql`
      select item_id from product
      where item_id > ${after} and state <> 'gone' order by item_id limit ${idsPerStatement}`);
    const ids = rows.map((row) => row.item_id);
    for (let from = 0; from < ids.length; from += livingPart) {
      const part = ids.slice(from, from + livingPart);
      const records = await readProducts(tx, part);
      yield part.flatMap((id) => records.get(id) ?? []);
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < idsPerStatement) return;
    after = last;
  }
}
