import { activeDays } from "./day-pattern.ts";
import { checkValue, unchangedChance } from "./freshness-value.ts";
import { unreadDays, type Gap } from "./reading.ts";
import { BATCH, rateOf, unchangedDays, type ItemStats, type KeywordStats } from "./scoring.ts";
import { arrivalRates } from "./yield.ts";

/**
 * What pages of a keyword's newest changes are worth. A page shows the items that changed last, so an unread one is found
 * with certainty, where a refresh finds it by chance; an item that was refreshed since is not unread.
 */
export interface Unread {
  /** Items expected to have come to the top of the list since its latest first page. */
  recent: number;
  /** The value of reading them now, and not later, while one page shows them all. */
  waitingValue: number;
  /** The value of having them read: for as long as they then stay as they are. */
  foundValue: number;
  /** For each gap that has a next page: items expected in it, and their value when read. */
  gaps: readonly { gap: Gap; items: number; value: number }[];
}

/** New products are unknown for about so many days if no page shows them. */
const NEW_FOUND_LATER_DAYS = 10;

/** `sample`: some of the keyword's products, of which it finds `found`. */
export function expectUnread(
  keyword: KeywordStats,
  { sample, found }: { sample: readonly ItemStats[]; found: number },
  at: number,
): Unread {
  const { reading, pattern } = keyword;
  const scale = sample.length === 0 ? 0 : Math.max(found, sample.length) / sample.length;
  const gaps = reading.gaps
    .filter((gap) => gap.next !== null)
    .map((gap) => ({ gap, items: 0, value: 0 }));
  const unread = { recent: 0, waitingValue: 0, foundValue: 0, gaps };
  for (const item of sample) {
    const { shape, span } = rateOf(item);
    const bumped = span / Math.max(1e-6, item.shop.bumpShare);
    const { recent } = unreadDays(reading, pattern, item.checkedAt, at);
    const chance = 1 - unchangedChance(shape, bumped, recent);
    const weight = scale * item.weight;
    const found = weight * unchangedDays(shape, span);
    unread.recent += scale * chance;
    unread.waitingValue += weight * checkValue(shape, bumped, recent);
    unread.foundValue += chance * found;
    for (const entry of gaps) {
      const { from, to } = entry.gap;
      if (to <= item.checkedAt) continue;
      const days = activeDays(pattern, Math.max(from, item.checkedAt), to);
      const inGap = (1 - chance) * (1 - unchangedChance(shape, bumped + recent, days));
      entry.items += scale * inGap;
      entry.value += inGap * found;
    }
  }
  const days = activeDays(pattern, keyword.newestAt, at);
  const { items, weight } = arrivalRates(keyword.arrivals);
  unread.recent += items * days;
  unread.waitingValue += (weight * days * days) / 2;
  unread.foundValue += weight * days * NEW_FOUND_LATER_DAYS;
  return unread;
}

/** The standard normal distribution function, to about 1%. */
const normalShare = (z: number) => 1 / (1 + Math.exp(-1.702 * z));

/**
 * The value of the first page. Until it is full of unread items it may be worth waiting for more of them; a full page
 * can only leave a gap, and is worth all that it shows.
 */
export function firstPageValue({ recent, waitingValue, foundValue }: Unread): number {
  if (!(recent > 1e-9)) return 0;
  const shown = Math.min(1, BATCH / recent);
  const isFull = normalShare((recent - BATCH) / Math.max(1, Math.sqrt(recent)));
  const whenFull = Math.max(foundValue, waitingValue) * shown;
  return (1 - isFull) * waitingValue * shown + isFull * whenFull;
}

/** The value of the next page of a gap, which shows unread items with certainty where pages before it did. */
export function nextPageValue(
  { recent, foundValue }: Unread,
  { gap, items, value }: Unread["gaps"][number],
): number {
  const expected = gap.next?.expected ?? 0;
  if (items > 1e-6) return (expected * value) / items;
  return recent > 1e-6 ? (expected * foundValue) / recent : 0;
}
