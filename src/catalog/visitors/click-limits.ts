import type { Clock } from "../../lib/clock.ts";
import { createDailyHash } from "./daily-hash.ts";

/** Enough for every honest visitor, and for many of them behind one address. */
export const clickLimits = { ofProduct: 10, ofVisitor: 1000 };
/** What one process remembers of a day: about 10 MB when full. The oldest are forgotten first. */
const MAX_KNOWN = 100_000;

/** `first`: of this visitor on this product today; `beyond`: more than a person clicks. */
export type Repetition = "first" | "again" | "beyond";

/**
 * Tells repeated clicks of a visitor, of whom any opaque text will do. Keeps nothing but hashes, and
 * none beyond the day (UTC).
 */
export function createClickLimits(clock: Clock): (visitor: string, itemId: number) => Repetition {
  let ofProduct = new Map<string, number>();
  let ofVisitor = new Map<string, number>();
  const hash = createDailyHash(clock, () => {
    ofProduct = new Map();
    ofVisitor = new Map();
  });
  return (visitor, itemId) => {
    const who = hash(visitor);
    const pair = hash(JSON.stringify([visitor, itemId]));
    const clicks = ofProduct.get(pair) ?? 0;
    const allClicks = ofVisitor.get(who) ?? 0;
    if (clicks >= clickLimits.ofProduct || allClicks >= clickLimits.ofVisitor) return "beyond";
    remember(ofProduct, pair, clicks + 1);
    remember(ofVisitor, who, allClicks + 1);
    return clicks === 0 ? "first" : "again";
  };
}

function remember(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, count);
  if (counts.size <= MAX_KNOWN) return;
  for (const oldest of counts.keys()) {
    counts.delete(oldest);
    return;
  }
}
