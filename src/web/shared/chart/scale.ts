/** A linear map of values to pixels. */
export type Scale = (value: number) => number;

export function scaleLinear(
  domain: readonly [number, number],
  range: readonly [number, number],
): Scale {
  const [from, to] = domain;
  const [start, end] = range;
  const width = to - from;
  return (value) =>
    width === 0 ? (start + end) / 2 : start + ((value - from) / width) * (end - start);
}

const steps = [1, 2, 2.5, 5, 10];

/** About `count` round numbers that enclose all values between `low` and `high`. */
export function ticksAround(low: number, high: number, count: number): number[] {
  const span = Math.max(high - low, 1);
  const rough = span / count;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (steps.find((one) => one * magnitude >= rough) ?? 10) * magnitude);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
