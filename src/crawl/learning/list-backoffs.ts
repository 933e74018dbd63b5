import type { Db } from "../../db/open.ts";
import {
  readKeywordBackoffs,
  type KeywordBackoffs,
  type List,
  type Range,
} from "../safety/keyword-backoffs.ts";

const RETRIED_SOON_MS = 2000;

/** Which lists of keywords wait after failed calls, as last read. */
export function createListBackoffs(db: Db) {
  let latest: KeywordBackoffs | null = null;
  let nowMs = 0;
  let leavesFailed = false;
  const hasFailed = (list: List) => latest?.hasFailed(list) ?? false;
  const isBackingOff = (list: List, atMs: number) => latest?.isWaiting(list, atMs) ?? false;
  return {
    hasFailed,
    /** The list is not requested yet, because its calls have failed. */
    isWaiting: (list: List) => isBackingOff(list, nowMs) || (leavesFailed && hasFailed(list)),
    /** Its last call failed, and the next one may go out within moments. */
    isRetriedSoon: (list: List) => hasFailed(list) && !isBackingOff(list, nowMs + RETRIED_SOON_MS),
    /** See `KeywordBackoffs`. */
    toRange: (list: List, page: Range) => latest?.toRange(list, page, nowMs) ?? page,
    /** See `KeywordBackoffs`. */
    failedAbove: (list: List, start: number) => latest?.failedAbove(list, start) ?? 0,
    /** No failed subject is tried now, even if it is due: lists, shops and single products. */
    leavesFailed: () => leavesFailed,
    leaveFailed(leave: boolean): void {
      leavesFailed = leave;
    },
    setNow(ms: number): void {
      nowMs = ms;
    },
    async read(): Promise<void> {
      latest = await readKeywordBackoffs(db);
    },
  };
}
