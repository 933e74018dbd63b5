import {
  BATCH,
  afterCheck,
  expectCheck,
  checksOn,
  newestGrowth,
  changeValue,
  scansOn,
} from "../crawl/scoring/scoring.ts";
import type { Sighting } from "./copy.ts";
import type { SimItem, SimKeyword, Walk } from "./memory.ts";
import type { SimCall } from "./run.ts";

/** Takes in one page of a sweep or of the newest ids, and says where to go on, or that it is done. */
export function settleWalk(
  keyword: SimKeyword,
  call: Extract<SimCall, { kind: "search" }>,
  page: { shown: readonly SimItem[]; lookedBefore: readonly number[]; seen: readonly Sighting[] },
  at: { now: number; price: number },
): void {
  const { now } = at;
  const order = call.order === "modified" ? "modified" : "newest";
  const walk: Walk = (keyword.walk?.order === order ? keyword.walk : null) ?? {
    order,
    start: 0,
    beganAt: now,
    top: -Infinity,
    value: 0,
    pages: 0,
  };
  const lookedAt = order === "modified" ? keyword.feedScannedAt : keyword.newestAt;
  keyword.triedAt[order] = now;
  let news = 0;
  let value = 0;
  for (const [i, sighting] of page.seen.entries()) {
    walk.top = Math.max(walk.top, sighting.modified);
    if (sighting.fate !== "created" && (order === "newest" || !sighting.bumped)) continue;
    news += 1;
    const item = page.shown[i];
    if (!item) continue;
    if (sighting.fate === "changed") {
      value += changeValue(item, now - Math.max(lookedAt, page.lookedBefore[i] ?? 0));
    } else {
      const cameUp = order === "modified" ? sighting.modified : (lookedAt + now) / 2;
      value += item.weight * Math.max(0, cameUp - lookedAt);
    }
  }
  walk.value += value;
  walk.pages += 1;
  const oldest = Math.min(Infinity, ...page.seen.map((sighting) => sighting.modified));
  const reachesKnown =
    page.seen.length < BATCH ||
    (order === "newest"
      ? news === 0
      : oldest < keyword.watermark || (oldest === keyword.watermark && news === 0));
  const growth = newestGrowth(walk.beganAt - lookedAt);
  const goesOn =
    order === "newest"
      ? checksOn(walk, expectCheck(keyword.newest, growth), at.price)
      : scansOn(keyword.scanIntervalDays, { value, news }, at.price);
  if (!reachesKnown && goesOn) {
    keyword.walk = { ...walk, start: call.start + BATCH };
    return;
  }
  keyword.walk = null;
  if (order === "newest") {
    keyword.newest = afterCheck(keyword.newest, walk, growth);
    if (reachesKnown) keyword.newestAt = walk.beganAt;
    return;
  }
  if (!reachesKnown) return;
  keyword.feedScannedAt = walk.beganAt;
  keyword.watermark = Math.max(keyword.watermark, walk.top);
}
