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

/**
 * About `count` round numbers that enclose all values between `low` and `high`. They are at least a tenth of the
 * value apart in all, so that a price that hardly moved is a flat line in the middle.
 */
export function ticksAround(low: number, high: number, count: number): number[] {
  const span = Math.max(high - low, high / 10, 1);
  const rough = span / count;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const rounds = steps.map((one) => one * magnitude).filter(Number.isInteger);
  const step = rounds.find((one) => one >= rough) ?? Math.max(1, 10 * magnitude);
  const isFlat = high - low < span;
  const first = Math.max(0, Math.floor(low / step - (isFlat ? 0.5 : 0)));
  const last = Math.max(first + 1, Math.ceil(high / step + (isFlat ? 0.5 : 0)));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A period in which a value was confirmed. */
export interface Span {
  firstSeen: Date;
  lastConfirmed: Date;
}

export function widthOf(span: Span, x: Scale): number {
  return x(span.lastConfirmed.getTime()) - x(span.firstSeen.getTime());
}

/** A horizontal line per period, at least a dot wide, with gaps in between and where there is no value. */
export function toSpanPath<T extends Span>(
  spans: readonly T[],
  x: Scale,
  y: Scale,
  valueOf: (span: T) => number | null,
): string {
  return spans
    .flatMap((span) => {
      const value = valueOf(span);
      if (value === null) return [];
      const start = x(span.firstSeen.getTime());
      return [`M${px(start)} ${px(y(value))}h${px(Math.max(0.1, widthOf(span, x)))}`];
    })
    .join("");
}
