import type { StoredReading } from "../../db/schema.ts";
import type { Reading } from "../scoring/reading.ts";
import { noMoments, type ChangeMoments } from "../scoring/week-pattern.ts";

/** A tenth of a second is enough. */
const rounded = (days: number) => Math.round(days * 1e6) / 1e6;

export function toStored(
  { gaps, flow, everyDays }: Reading,
  moments: ChangeMoments,
): StoredReading {
  return {
    gaps: gaps.map((gap) => ({ ...gap, from: rounded(gap.from), to: rounded(gap.to) })),
    flow: {
      items: rounded(flow.items),
      squares: rounded(flow.squares),
      days: rounded(flow.days),
    },
    everyDays: Number.isFinite(everyDays) ? rounded(everyDays) : null,
    hours: moments.hours.map((count) => Math.round(count * 100) / 100),
    weekdays: moments.weekdays.map((count) => Math.round(count * 100) / 100),
    readHours: moments.readHours.map(rounded),
    readWeekdays: moments.readWeekdays.map(rounded),
    squares: rounded(moments.squares),
    latest: moments.latest,
  };
}

/** Earlier versions did not store what was read: their moments are those at which pages were read, and are forgotten. */
export function momentsOf(stored: StoredReading | undefined): ChangeMoments {
  if (!stored?.readHours) return noMoments;
  const { hours, weekdays, readHours, readWeekdays, squares, latest } = { ...noMoments, ...stored };
  return { hours, weekdays, readHours, readWeekdays, squares, latest };
}

/** Earlier versions stored neither `newShare` nor `surplus` nor `squares`. */
export function fromStored({ gaps, flow, everyDays }: StoredReading): Omit<Reading, "until"> {
  return {
    gaps: gaps.map(({ next, ...gap }) => ({
      ...gap,
      next: next && { newShare: 0, surplus: next.expected, ...next },
    })),
    flow: { squares: flow.items, ...flow },
    everyDays: everyDays ?? Infinity,
  };
}
