/** A price of one product, from when it was first seen to when the next one was, or to its last check. */
export interface SeenPrice {
  itemId: number;
  /** 0: none was stated. */
  price: number;
  from: Date;
  to: Date;
}

/** A stretch of time in which the lowest price of several products was the same. */
export interface PriceSpan {
  price: number;
  firstSeen: Date;
  lastConfirmed: Date;
}

/** The lowest price over time, oldest first. Where nothing has a price, there is no span. */
export function lowestSpans(seen: readonly SeenPrice[]): PriceSpan[] {
  const priced = seen
    .filter(({ price, from, to }) => price > 0 && from < to)
    .toSorted((a, b) => a.from.getTime() - b.from.getTime());
  const ends = priced.flatMap(({ from, to }) => [from.getTime(), to.getTime()]);
  const moments = [...new Set(ends)].toSorted((a, b) => a - b);
  const spans: PriceSpan[] = [];
  let open: SeenPrice[] = [];
  let begun = 0;
  for (const [i, moment] of moments.entries()) {
    open = open.filter(({ to }) => to.getTime() > moment);
    for (let one = priced[begun]; one?.from.getTime() === moment; one = priced[begun]) {
      open.push(one);
      begun += 1;
    }
    const next = moments[i + 1];
    if (next === undefined || open.length === 0) continue;
    const price = Math.min(...open.map((one) => one.price));
    const last = spans.at(-1);
    if (last?.price === price && last.lastConfirmed.getTime() === moment) {
      last.lastConfirmed = new Date(next);
    } else {
      spans.push({ price, firstSeen: new Date(moment), lastConfirmed: new Date(next) });
    }
  }
  return spans;
}
