import type { BudgetToday } from "./budget-today.ts";
import type { Spending } from "./usage-report.ts";

export interface BurnDown {
  /** Calls left at each moment, from the day's start to now. */
  left: { at: Date; calls: number }[];
  /** Calls by which today is ahead of an even pace (more spent), or behind it (negative). */
  ahead: number;
  /** If the pace of the last hour goes on to the day's end. */
  forecast: { callsPerHour: number; leftAtEnd: number; spentAt: Date | null };
}

const LOOK_BACK_MS = 3_600_000;
const LEAST_LOOK_BACK_MS = 600_000;

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
  const dayMs = budget.resetsAt.getTime() - startMs;
  return {
    // Below zero if ops have lowered the limit since.
    left: left.map((point) => ({ ...point, calls: Math.max(0, point.calls) })),
    ahead: budget.used - Math.round((budget.limit * (nowMs - startMs)) / dayMs),
    forecast: toForecast(input),
  };
}

function toForecast({
  budget,
  dayStart,
  now,
  spending,
  stepMs,
  isStopped,
}: Parameters<typeof toBurnDown>[0]): BurnDown["forecast"] {
  const nowMs = now.getTime();
  const startMs = dayStart.getTime();
  // Only whole steps: it is unknown how much of an earlier one fell into the hour.
  const skipped = Math.ceil(Math.max(0, nowMs - LOOK_BACK_MS - startMs) / stepMs);
  const sinceMs = startMs + skipped * stepMs;
  const recent = spending.filter(({ at }) => at.getTime() >= sinceMs);
  const calls = isStopped ? 0 : recent.reduce((sum, step) => sum + step.calls, 0);
  const perMs = calls / Math.max(LEAST_LOOK_BACK_MS, nowMs - sinceMs);
  const lastsMs = perMs > 0 ? budget.remaining / perMs : Infinity;
  const dayLeftMs = Math.max(0, budget.resetsAt.getTime() - nowMs);
  return {
    callsPerHour: perMs * 3_600_000,
    leftAtEnd: Math.max(0, Math.round(budget.remaining - perMs * dayLeftMs)),
    spentAt: lastsMs < dayLeftMs ? new Date(nowMs + lastsMs) : null,
  };
}
