import type { CrawlJob } from "./budget/jobs.ts";
import type { PlannedCall } from "./safety/planned-call.ts";

/**
 * Chooses the call of most value. Calls that are due whatever their value come first, and jobs take turns at them;
 * products beyond the maximum age get at most every second call.
 */
export function createTurns(): (calls: readonly PlannedCall[]) => PlannedCall | null {
  /** The job of the last call that was due whatever its value: the next such call is another job's. */
  let lastDue: CrawlJob | null = null;
  let lastWasOverdue = false;

  return (calls) => {
    const isOverdue = (call: PlannedCall) => call.value === Infinity && call.job === "revalidate";
    const overdue = calls.find(isOverdue);
    lastWasOverdue = overdue !== undefined && !lastWasOverdue;
    if (overdue && lastWasOverdue) return overdue;
    const others = calls.filter((call) => !isOverdue(call));
    const due = others.filter((call) => call.value === Infinity);
    const turn = due.find((call) => call.job !== lastDue) ?? due[0];
    if (turn) lastDue = turn.job;
    return turn ?? others.toSorted((a, b) => b.value - a.value)[0] ?? overdue ?? null;
  };
}
