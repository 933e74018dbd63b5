import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import type { RowOf } from "../../db/rows.ts";
import type { backoff } from "../../db/schema.ts";
import {
  clearBackoffs,
  noteFailure,
  noteSuccess,
  readOthersSucceed,
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

const most = 20_000;
const retriedSoonMs = 2000;

/** Which lists of keywords wait after failed calls, as last read. */
export function createListBackoffs(db: Db) {
  let lists = new Map<string, { retryMs: number; part: number[] | null }>();
  let pages = new Map<string, { retryMs: number; end: number }>();
  let nowMs = 0;
  let leavesFailed = false;
  const hasFailed = (list: List) => lists.has(toKey(list));
  const isBackingOff = (list: List, atMs: number) => (lists.get(toKey(list))?.retryMs ?? 0) > atMs;
  const failedAt = (list: List, position: number) => pages.get(toPageKey(list, position));
  return {
    /** Its last call failed. */
    hasFailed,
    /** The list is not requested yet, because its calls have failed. */
    isWaiting: (list: List) => isBackingOff(list, nowMs) || (leavesFailed && hasFailed(list)),
    /** Its last call failed, and the next one may go out within moments. */
    isRetriedSoon: (list: List) => hasFailed(list) && !isBackingOff(list, nowMs + retriedSoonMs),
    /**
     * The range to request for a page of `size` from `start`: without positions that fail by themselves,
     * and no longer than the half that is requested next of a failed page.
     */
    toRange(list: List, page: Range): Range {
      let { start } = page;
      while ((failedAt(list, start)?.retryMs ?? 0) > nowMs) start += 1;
      // A position that has failed alone is tried alone again, and those that were left out together are together.
      const failed = failedAt(list, start);
      if (failed) return { start, size: Math.min(page.size, failed.end - start) };
      let end = start + 1;
      const last = lastAskedFor(lists.get(toKey(list))?.part ?? null, start, page.size);
      while (end < last && !failedAt(list, end)) end += 1;
      return { start, size: end - start };
    },
    /** How many positions right above this one fail. */
    failedAbove(list: List, start: number): number {
      let first = start;
      while (failedAt(list, first - 1)) first -= 1;
      return start - first;
    },
    /** No failed subject is tried now, even if it is due: lists, shops and single products. */
    leavesFailed: () => leavesFailed,
    leaveFailed(leave: boolean): void {
      leavesFailed = leave;
    },
    setNow(ms: number): void {
      nowMs = ms;
    },
    /** True: it was read. */
    async read(): Promise<true> {
      type Read = Pick<typeof backoff.$inferSelect, "kind" | "key" | "retryAt" | "part">;
      const rows = await db.execute<RowOf<Read>>(sql`
        select kind, key, retry_at, part from backoff where kind in ('keyword', 'page')
        order by failed_at desc limit ${most}`);
      lists = new Map();
      pages = new Map();
      for (const { kind, key, retry_at: retryAt, part } of rows) {
        const retryMs = Date.parse(retryAt);
        if (kind === "keyword") lists.set(key, { retryMs, part });
        else {
          const [, list = "", position = ""] = /^(.*):(\d+)$/.exec(key) ?? [];
          const first = Number(position);
          const end = first + (part?.length ?? 1);
          for (let at = first; at < end; at += 1) pages.set(`${list}:${at}`, { retryMs, end });
        }
      }
      return true;
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

/**
 * A failed page is halved until one position fails by itself, which is then left out for a while. If what follows it fails
 * too while other calls succeed, a whole page is at fault: twice as much is left out each time. `failedAbove`: positions
 * right above the range that fail.
 */
export async function notePageFailure(
  tx: Tx,
  list: List,
  { start, size }: Range,
  failure: CallFailure,
  failedAbove = 0,
): Promise<boolean> {
  const subject: Subject = { kind: "keyword", key: toKey(list) };
  if (failure.kind !== "broken") return noteFailure(tx, subject, failure);
  const position: Subject = { kind: "page", key: toPageKey(list, start) };
  const othersSucceed = await readOthersSucceed(tx, failure.callId);
  const note = (failed: Subject, detail: { halving?: number[]; together?: number[] } = {}) =>
    noteFailure(tx, failed, failure, { ...detail, othersSucceed });
  if (size > 1 && failedAbove > 0 && othersSucceed) {
    await note(position, { together: positionsOf({ start, size: Math.min(size, failedAbove) }) });
    return note(subject);
  }
  if (size > 1) return note(subject, { halving: positionsOf({ start, size }) });
  await note(position);
  // It is known what fails: what follows it need not wait, but has every second call at most.
  if (othersSucceed) await clearBackoffs(tx, subject.kind, [subject.key]);
  return note(subject);
}

export async function notePageSuccess(tx: Tx, list: List, range: Range): Promise<void> {
  const positions = positionsOf(range);
  await noteSuccess(tx, { kind: "keyword", key: toKey(list) }, positions);
  await clearBackoffs(
    tx,
    "page",
    positions.map((position) => toPageKey(list, position)),
  );
}

const positionsOf = ({ start, size }: Range) => Array.from({ length: size }, (_, i) => start + i);

function toKey({ queryId, order }: List): string {
  return `${queryId}:${order}`;
}

function toPageKey(list: List, position: number): string {
  return `${toKey(list)}:${position}`;
}
