import type { StoredReading } from "../../db/schema.ts";
import type { Reading } from "../scoring/reading.ts";

/** A tenth of a second is enough. */
const rounded = (days: number) => Math.round(days * 1e6) / 1e6;

/** `hours`: changes by hour of the day. */
export function toStored(
  { gaps, flow, everyDays }: Reading,
  hours: readonly number[],
): StoredReading {
  return {
    gaps: gaps.map(({ from, to, next }) => ({ from: rounded(from), to: rounded(to), next })),
    flow: {
      items: rounded(flow.items),
      squares: rounded(flow.squares),
      days: rounded(flow.days),
    },
    everyDays: Number.isFinite(everyDays) ? rounded(everyDays) : null,
    hours: hours.map((count) => Math.round(count * 100) / 100),
  };
}

/** An earlier version stored neither `newShare` nor `squares`. */
export function fromStored({ gaps, flow, everyDays }: StoredReading): Omit<Reading, "until"> {
  return {
    gaps: gaps.map(({ next, ...gap }) => ({ ...gap, next: next && { newShare: 0, ...next } })),
    flow: { squares: flow.items, ...flow },
    everyDays: everyDays ?? Infinity,
  };
}
