import type { BudgetToday } from "./budget-today.ts";
import { openMs, type OpenTime } from "./open-time.ts";
import type { Spending } from "./usage-report.ts";

export interface BurnDown {
  /** Calls left at each moment, from the day's start to now. */
  left: { at: Date; calls: number }[];
  /** Calls that an even pace over the windows of the jobs would leave at that moment. */
  evenPace(at: Date): number;
  /** Calls by which today is ahead of an even pace (more spent), or behind it (negative). */
  ahead: number;
  /** If the pace of the last hour goes on to the day's end, or an even one if no window was open in that hour. */
  forecast: { leftAtEnd: number; spentAt: Date | null };
}

const lookBackMs = 3_600_000;
const leastLookBackMs = 600_000;

/**
 * The calls left over the day. The last point is what the budget counts now. `isStopped`: nothing is
 * being spent, whatever the last hour shows.
 */
export function toBurnDown(input: {
  budget: Pick<BudgetToday, "limit" | "used" | "remaining" | "resetsAt">;
  dayStart: Date;
  now: Date;
  spending: readonly Spending[];
  stepMs: number;
  isStopped: boolean;
  /** The windows of the jobs; if none of the day is in one, the whole day counts. */
  windows: OpenTime;
}): BurnDown {
  const { budget, dayStart, now, spending, stepMs } = input;
  const startMs = dayStart.getTime();
  const nowMs = now.getTime();
  const unspent = budget.limit - budget.used;
  const counted = spending.reduce((sum, { calls }) => sum + calls, 0);
  let calls = unspent + counted;
  const left = [{ at: dayStart, calls }];
  for (const step of spending) {
    const endMs = Math.min(nowMs, step.at.getTime() + stepMs);
    if (step.at.getTime() > (left.at(-1)?.at.getTime() ?? startMs))
      left.push({ at: step.at, calls });
    calls -= step.calls;
    left.push({ at: new Date(endMs), calls });
  }
  left.push({ at: now, calls: unspent });
  const endMs = budget.resetsAt.getTime();
  const isEver = openMs(input.windows, startMs, endMs) > 0;
  const open = isEver ? input.windows : [{ from: startMs, until: endMs }];
  const evenPace = (at: Date) => {
    const share = openMs(open, startMs, at.getTime()) / openMs(open, startMs, endMs);
    return budget.limit - Math.round(budget.limit * share);
  };
  return {
    // Below zero if ops have lowered the limit since; above the limit if calls were made since it was read.
    left: left.map((point) => ({
      ...point,
      calls: Math.min(budget.limit, Math.max(0, point.calls)),
    })),
    evenPace,
    ahead: budget.used - (budget.limit - evenPace(now)),
    forecast: toForecast(input, open),
  };
}

function toForecast(
  { budget, dayStart, now, spending, stepMs, isStopped }: Parameters<typeof toBurnDown>[0],
  open: OpenTime,
): BurnDown["forecast"] {
  const nowMs = now.getTime();
  const startMs = dayStart.getTime();
  // Only whole steps: it is unknown how much of an earlier one fell into the hour.
  const skipped = Math.ceil(Math.max(0, nowMs - lookBackMs - startMs) / stepMs);
  const sinceMs = startMs + skipped * stepMs;
  const recent = spending.filter(({ at }) => at.getTime() >= sinceMs);
  const recentMs = openMs(open, sinceMs, nowMs);
  const leftMs = openMs(open, nowMs, budget.resetsAt.getTime());
  const calls = recent.reduce((sum, step) => sum + step.calls, 0);
  const lastPerMs =
    recentMs > 0
      ? calls / Math.max(leastLookBackMs, recentMs)
      : budget.remaining / Math.max(1, leftMs);
  const perMs = isStopped ? 0 : lastPerMs;
  return {
    leftAtEnd: Math.max(0, Math.round(budget.remaining - perMs * leftMs)),
    spentAt:
      perMs * leftMs > budget.remaining ? afterOpen(open, nowMs, budget.remaining / perMs) : null,
  };
}

/** The moment at which so much time has been open. */
function afterOpen(open: OpenTime, fromMs: number, ms: number): Date | null {
  let left = ms;
  for (const span of open) {
    const from = Math.max(fromMs, span.from);
    const lengthMs = Math.max(0, span.until - from);
    if (left <= lengthMs) return new Date(from + left);
    left -= lengthMs;
  }
  return null;
}
