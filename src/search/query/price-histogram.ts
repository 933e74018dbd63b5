/** Prices from `from` to `to`, both included, as the filters of a search take them. */
export interface PriceRange {
  from: number;
  to: number;
}

export interface PriceCount extends PriceRange {
  count: number;
}

const maxRanges = 10;
/** Where ranges begin in each decade, or in every second one; finest first. */
const ladders = [
  { steps: [1, 2, 5], every: 1 },
  { steps: [1, 5], every: 1 },
  { steps: [1], every: 1 },
  { steps: [1], every: 2 },
];

/**
 * At most ten adjoining ranges with round bounds; the first has the lowest price, the last the highest.
 * Equal steps where all prices are within a factor of ten, and steps that grow with the price
 * otherwise, because most prices are low. Pure; for whole numbers.
 */
export function priceRanges(min: number, max: number): PriceRange[] {
  const bounds = max < 10 * Math.max(1, min) ? equalSteps(min, max) : growingSteps(min, max);
  return bounds.slice(1).map((end, i) => ({ from: bounds[i] ?? min, to: end - 1 }));
}

function equalSteps(min: number, max: number): number[] {
  let step = 1;
  const count = () => Math.floor(max / step) - Math.floor(min / step) + 1;
  for (let i = 1; count() > maxRanges; i += 1) {
    step = ([1, 2, 5][i % 3] ?? 1) * 10 ** Math.floor(i / 3);
  }
  const first = Math.floor(min / step) * step;
  return Array.from({ length: count() + 1 }, (_, i) => first + i * step);
}

function growingSteps(min: number, max: number): number[] {
  for (const { steps, every } of ladders) {
    const rungs: number[] = [];
    for (let decade = 0; (rungs.at(-1) ?? 0) <= max; decade += every) {
      rungs.push(...steps.map((step) => step * 10 ** decade));
    }
    const first = rungs.findLast((rung) => rung <= min) ?? min;
    const end = rungs.findIndex((rung) => rung > max);
    const bounds = [first, ...rungs.slice(0, end + 1).filter((rung) => rung > first)];
    if (bounds.length <= maxRanges + 1) return bounds;
  }
  return [min, max + 1];
}

/** How many of these prices are in each range. */
export function countPrices(
  ranges: readonly PriceRange[],
  prices: readonly (readonly [price: number, count: number])[],
): PriceCount[] {
  return ranges.map(({ from, to }) => ({
    from,
    to,
    count: prices.reduce(
      (sum, [price, count]) => (price >= from && price <= to ? sum + count : sum),
      0,
    ),
  }));
}
