/** The `most` items of largest value, largest first. One pass, because a shop may have thousands. */
export function heaviest(
  items: readonly number[],
  most: number,
  valueOf: (item: number) => number,
): number[] {
  const best: number[] = [];
  const values: number[] = [];
  for (const item of items) {
    const value = valueOf(item);
    if (best.length === most && value <= (values[most - 1] ?? 0)) continue;
    let place = Math.min(best.length, most - 1);
    for (; place > 0 && (values[place - 1] ?? 0) < value; place -= 1) {
      best[place] = best[place - 1] ?? 0;
      values[place] = values[place - 1] ?? 0;
    }
    best[place] = item;
    values[place] = value;
  }
  return best;
}
