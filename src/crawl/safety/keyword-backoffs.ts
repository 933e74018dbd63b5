import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import type { RowOf } from "../../db/row-of.ts";
import type { backoff } from "../../db/schema.ts";
import {
  clearBackoffs,
  noteFailure,
  noteSuccess,
  type CallFailure,
  type Subject,
} from "./backoff.ts";

/** The orders in which a keyword's list is read; a failing order says nothing about the others. */
export type ListOrder = "id-ascending" | "id-descending" | "modified" | "popular";

/** A keyword's list in one order. */
export interface List {
  queryId: number;
  order: ListOrder;
}

/** Part of a list: `start` up to, not including, `start + size`. */
export interface Range {
  start: number;
  size: number;
}

/** The failures of keywords' lists, as last read. */
export type KeywordBackoffs = Awaited<ReturnType<typeof readKeywordBackoffs>>;

const MOST = 20_000;

export async function readKeywordBackoffs(db: Db) {
  type Read = Pick<typeof backoff.$inferSelect, "kind" | "key" | "retryAt" | "part">;
  const rows = await db.execute<RowOf<Read>>(sql`
    select kind, key, retry_at, part from backoff where kind in ('keyword', 'page')
    order by failed_at desc limit ${MOST}`);
  const lists = new Map<string, { retryMs: number; part: number[] | null }>();
  const pages = new Map<string, number>();
  for (const { kind, key, retry_at: retryAt, part } of rows) {
    const retryMs = Date.parse(retryAt);
    if (kind === "keyword") lists.set(key, { retryMs, part });
    else pages.set(key, retryMs);
  }
  return {
    /** The list must not be requested yet. */
    isWaiting: (list: List, nowMs: number) => (lists.get(toKey(list))?.retryMs ?? 0) > nowMs,
    /** Its last call failed. */
    hasFailed: (list: List) => lists.has(toKey(list)),
    /**
     * The range to request for a page of `size` from `start`: without positions that fail by themselves,
     * and no longer than the half that is requested next of a failed page.
     */
    toRange(list: List, page: Range, nowMs: number): Range {
      const retryMs = (position: number) => pages.get(toPageKey(list, position));
      let { start } = page;
      while ((retryMs(start) ?? 0) > nowMs) start += 1;
      // A position that has failed alone is tried alone again.
      if (retryMs(start) !== undefined) return { start, size: 1 };
      let end = start + 1;
      const last = lastAskedFor(lists.get(toKey(list))?.part ?? null, start, page.size);
      while (end < last && retryMs(end) === undefined) end += 1;
      return { start, size: end - start };
    },
  };
}

/** Where a page from `start` has to end. */
function lastAskedFor(part: number[] | null, start: number, size: number): number {
  const full = start + size;
  const from = part?.[0];
  const to = part?.at(-1);
  if (from === undefined || to === undefined || start > to || full <= from) return full;
  // Pages overlap by one item, so the half begins one position before the requested start.
  return start >= from - 1 ? to + 1 : from;
}

/** A failed page is halved until one position fails by itself, which is then left out for a while. */
export async function notePageFailure(
  tx: Tx,
  list: List,
  { start, size }: Range,
  failure: CallFailure,
): Promise<boolean> {
  const subject: Subject = { kind: "keyword", key: toKey(list) };
  if (failure.kind !== "broken") return noteFailure(tx, subject, failure);
  if (size > 1) {
    const halving = Array.from({ length: size }, (_, i) => start + i);
    return noteFailure(tx, subject, failure, { halving });
  }
  await noteFailure(tx, { kind: "page", key: toPageKey(list, start) }, failure);
  return noteFailure(tx, subject, failure);
}

export async function notePageSuccess(tx: Tx, list: List, { start, size }: Range): Promise<void> {
  const positions = Array.from({ length: size }, (_, i) => start + i);
  await noteSuccess(tx, { kind: "keyword", key: toKey(list) }, positions);
  await clearBackoffs(
    tx,
    "page",
    positions.map((position) => toPageKey(list, position)),
  );
}

function toKey({ queryId, order }: List): string {
  return `${queryId}:${order}`;
}

function toPageKey(list: List, position: number): string {
  return `${toKey(list)}:${position}`;
}
