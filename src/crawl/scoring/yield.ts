/** Items that a page shows at most (specification section 8). */
const PAGE = 50;

/**
 * What earlier checks of one kind at one keyword have brought, fading with every further check, and
 * what they would have brought by the law of growth alone (`Growth`): the ratio is the keyword's own.
 */
export interface Yield {
  value: number;
  valueByLaw: number;
  /** Pages turned, against the number of news. */
  pages: number;
  newsByLaw: number;
}

/** How the worth and the number of news grow with the days since the last check, up to a factor. */
export interface Growth {
  value: number;
  news: number;
}

/** Products that came new to a keyword, and the days in which its scans would have shown them; fading. */
export interface Arrivals {
  items: number;
  weight: number;
  days: number;
}

/** Of new items, which go on coming. */
export function newestGrowth(days: number): Growth {
  return { value: (days * days) / 2, news: days };
}

/** New products a day, as a share of those a keyword finds, until its scans have told: for so many days. */
const NEW_SHARE = 0.005;
const NEW_SHARE_DAYS = 1;
/** Arrivals fade with this time constant, in days. */
const ARRIVALS_MEMORY_DAYS = 30;

/** Of a keyword that finds so many products, before any scan. */
export function priorArrivals(found: number): Arrivals {
  const items = found * NEW_SHARE * NEW_SHARE_DAYS;
  return { items, weight: items, days: NEW_SHARE_DAYS };
}

/** A page showed these new products; a scan that reached what is known covers `days` more. */
export function afterArrivals(old: Arrivals, page: Arrivals): Arrivals {
  const keep = Math.exp(-page.days / ARRIVALS_MEMORY_DAYS);
  return {
    items: old.items * keep + page.items,
    weight: old.weight * keep + page.weight,
    days: old.days * keep + page.days,
  };
}

/** New items a day and their weight. */
export function arrivalRates({ items, weight, days }: Arrivals): {
  items: number;
  weight: number;
} {
  return { items: items / days, weight: weight / days };
}

/** Before any look at its newest ids: what its arrivals promise, held for a tenth of a check. */
export function priorYield(arrivals: Arrivals): Yield {
  const { items, weight } = arrivalRates(arrivals);
  return { value: 0.1 * weight, valueByLaw: 0.1, pages: (0.1 * items) / PAGE, newsByLaw: 0.1 };
}

const YIELD_KEEP = 0.7;

/** `look.worth`: the sum over the news, of changed items by `changeValue`, of new ones weight times days missed. */
export function afterCheck(
  old: Yield,
  look: { value: number; pages: number },
  growth: Growth,
): Yield {
  return {
    value: old.value * YIELD_KEEP + look.value,
    valueByLaw: old.valueByLaw * YIELD_KEEP + growth.value,
    pages: old.pages * YIELD_KEEP + look.pages,
    newsByLaw: old.newsByLaw * YIELD_KEEP + growth.news,
  };
}

/** What the next check would gain a call, and the pages it takes to reach what is known. */
export function expectCheck(past: Yield, growth: Growth): { perCall: number; pages: number } {
  const pages = Math.max(1, (past.pages / past.newsByLaw) * growth.news);
  return { perCall: ((past.value / past.valueByLaw) * growth.value) / pages, pages };
}

/**
 * Whether a look at newest ids that has not reached what is known yet goes on. It is judged by what
 * it was expected to take, and given up only when it takes longer and has not been worth it.
 */
export function checksOn(
  look: { value: number; pages: number },
  expected: { perCall: number; pages: number },
  price: number,
): boolean {
  if (look.value / look.pages >= GIVE_UP_BELOW * price) return true;
  return expected.perCall >= GIVE_UP_BELOW * price && look.pages < 1.3 * expected.pages + 1;
}

/** Share of the threshold below which a check is not worth going on with. */
const GIVE_UP_BELOW = 0.5;

/**
 * Whether a scan of newest changes goes on after a page that has not reached what is known. Half a
 * scan proves nothing of the rest, so a planned one is finished; a keyword that is not scanned is
 * only sampled, unless there turns out to be much to find.
 */
export function scansOn(
  scanIntervalDays: number,
  page: { value: number; news: number },
  price: number,
): boolean {
  return Number.isFinite(scanIntervalDays) || (page.news > 0 && page.value >= price);
}

/** The newest ids of a keyword are looked at this often at least, in days. */
export const NEWEST_MAX_AGE_DAYS = 30;

/**
 * Every keyword's newest changes are looked at this often at least, in days, even where scans are
 * not worth it, so that what begins to stir there is found: as often as two in a hundred of the
 * day's calls allow.
 */
export function keywordMaxAgeDays(keywords: number, callsPerDay: number): number {
  return Math.min(30, Math.max(1, keywords / (0.02 * callsPerDay)));
}
