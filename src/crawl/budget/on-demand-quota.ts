import { eq } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { job } from "../../db/schema.ts";
import { dayStart } from "../../lib/calendar.ts";
import type { BudgetToday } from "./budget.ts";
import { defaultOnDemandShare } from "./jobs.ts";
import { splitBudget, type Split } from "./on-demand-reserve.ts";

/**
 * How today's remaining calls, as far as they are to be expected, are divided now between the jobs
 * and refresh on demand.
 */
export async function readSplit(db: Db, budget: BudgetToday, now: Date): Promise<Split> {
  const startMs = dayStart(now, budget.timezone).getTime();
  return splitBudget({
    limit: budget.expected,
    used: budget.used,
    remaining: Math.min(budget.remaining, Math.max(0, budget.expected - budget.used)),
    usedOnDemand: budget.byPurpose.on_demand,
    share: await readOnDemandShare(db),
    dayFraction: (now.getTime() - startMs) / (budget.resetsAt.getTime() - startMs),
  });
}

/** Of the slice, what one client may have, and what they may have of the smallest. */
const CLIENT_SHARE = 0.2;
const CLIENT_CALLS = 2;

/** Calls of the day's slice for refresh on demand that one client may spend. */
export async function readClientCalls(db: Db, budget: BudgetToday): Promise<number> {
  const slice = budget.expected * (await readOnDemandShare(db));
  return Math.max(CLIENT_CALLS, Math.floor(slice * CLIENT_SHARE));
}

/** As ops set it in the settings of `revalidate`. */
async function readOnDemandShare(db: Db): Promise<number> {
  const [row] = await db
    .select({ settings: job.settings })
    .from(job)
    .where(eq(job.name, "revalidate"));
  const share = row?.settings.on_demand_share;
  return typeof share === "number" ? share : defaultOnDemandShare;
}
