import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";

/** What one process remembers of a day: 4 MB when full. Later visitors are not counted as new. */
const maxPairs = 50_000;
/** A person types fewer different words without result in a day; a program must not use up the bound. */
const maxWordsOfVisitor = 100;

/** Whether a visitor, of whom any opaque text will do, comes for these words for the first time today (UTC). */
export type IsNewToday = (visitor: string, words: string) => boolean;

/** Keeps nothing but hashes. A visitor is counted again by another process and on another day. */
export function createDailyVisitors(clock: Clock): IsNewToday {
  const today = createDailyMemory(clock);
  return (visitor, words) => {
    const { hash, ofPair, ofVisitor } = today();
    const pair = hash(JSON.stringify([visitor, words]));
    const who = hash(visitor);
    const known = ofVisitor.get(who) ?? 0;
    if (ofPair.has(pair) || known >= maxWordsOfVisitor || ofPair.size >= maxPairs) return false;
    ofPair.set(pair, 1);
    ofVisitor.set(who, known + 1);
    return true;
  };
}

/**
 * Counts of one day (UTC) by the hashes of visitors, and of visitors with something else. The salt of the hashes is
 * random, never leaves the memory of this process and ends with the day, so nobody can find out whose they are.
 */
function createDailyMemory(clock: Clock) {
  let day = "";
  let memory = emptyMemory();
  return () => {
    const today = clock.now().toISOString().slice(0, 10);
    if (today !== day) memory = emptyMemory();
    day = today;
    return memory;
  };
}

function emptyMemory() {
  const salt = randomBytes(32);
  return {
    hash: (text: string) =>
      createHmac("sha256", salt).update(text).digest("base64url").slice(0, 12),
    ofPair: new Map<string, number>(),
    ofVisitor: new Map<string, number>(),
  };
}

/** Enough for every honest visitor, and for many of them behind one address. */
export const clickLimits = { ofProduct: 10, ofVisitor: 1000 };
/** What one process remembers of a day: about 10 MB when full. The oldest are forgotten first. */
const maxKnown = 100_000;

/** `first`: of this visitor on this product today; `beyond`: more than a person clicks. */
export type Repetition = "first" | "again" | "beyond";

/**
 * Tells repeated clicks of a visitor, of whom any opaque text will do. Keeps nothing but hashes, and
 * none beyond the day (UTC).
 */
export function createClickLimits(clock: Clock): (visitor: string, itemId: number) => Repetition {
  const today = createDailyMemory(clock);
  return (visitor, itemId) => {
    const { hash, ofPair, ofVisitor } = today();
    const who = hash(visitor);
    const pair = hash(JSON.stringify([visitor, itemId]));
    const clicks = ofPair.get(pair) ?? 0;
    const allClicks = ofVisitor.get(who) ?? 0;
    if (clicks >= clickLimits.ofProduct || allClicks >= clickLimits.ofVisitor) return "beyond";
    remember(ofPair, pair, clicks + 1);
    remember(ofVisitor, who, allClicks + 1);
    return clicks === 0 ? "first" : "again";
  };
}

function remember(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, count);
  const [oldest] = counts.keys();
  if (oldest !== undefined && counts.size > maxKnown) counts.delete(oldest);
}
