import type { Clock } from "../../lib/clock.ts";
import { createDailyHash } from "./daily-hash.ts";

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
