import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";

/** What one process remembers of a day: 4 MB when full. Later visitors are not counted as new. */
const MAX_PAIRS = 50_000;
/** A person types fewer different words without result in a day; a program must not use up the bound. */
const MAX_WORDS_OF_VISITOR = 100;

/** Whether a visitor, of whom any opaque text will do, comes for these words for the first time today (UTC). */
export type IsNewToday = (visitor: string, words: string) => boolean;

/** Keeps nothing but hashes. A visitor is counted again by another process and on another day. */
export function createDailyVisitors(clock: Clock): IsNewToday {
  let pairs = new Set<string>();
  let wordsOfVisitor = new Map<string, number>();
  const hash = createDailyHash(clock, () => {
    pairs = new Set();
    wordsOfVisitor = new Map();
  });
  return (visitor, words) => {
    const pair = hash(JSON.stringify([visitor, words]));
    const who = hash(visitor);
    const known = wordsOfVisitor.get(who) ?? 0;
    if (pairs.has(pair) || known >= MAX_WORDS_OF_VISITOR || pairs.size >= MAX_PAIRS) return false;
    pairs.add(pair);
    wordsOfVisitor.set(who, known + 1);
    return true;
  };
}

/**
 * Hashes texts that tell visitors apart. The salt is random, never leaves the memory of this process and
 * changes each day (UTC), so nobody can find out whose the hashes are. `forget` is called with a new
 * salt, before the first hash of the day.
 */
export function createDailyHash(clock: Clock, forget: () => void): (text: string) => string {
  let day = "";
  let salt = randomBytes(32);
  return (text) => {
    const today = clock.now().toISOString().slice(0, 10);
    if (today !== day) {
      day = today;
      salt = randomBytes(32);
      forget();
    }
    return createHmac("sha256", salt).update(text).digest("base64url").slice(0, 12);
  };
}

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
