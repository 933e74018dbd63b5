import { px, type Scale } from "./scale.ts";

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
