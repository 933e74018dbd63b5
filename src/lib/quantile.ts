/** The least value that so large a share of them does not exceed, with two digits after the point; 0 for an empty list. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return Number(value.toFixed(2));
}
