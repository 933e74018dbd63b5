import { eq } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { job } from "../../db/schema.ts";
import { dayStart } from "../../lib/calendar.ts";
import type { BudgetToday } from "./budget.ts";
import { defaultOnDemandShare } from "./jobs.ts";
import { splitBudget, type Split } from "./on-demand-reserve.ts";

/**
 * Divides today's remaining calls, as far as they can be expected, between the jobs and refresh on
 * demand.
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

/** The part of the quota that one client may spend, and at least so many calls. */
const CLIENT_SHARE = 0.2;
const CLIENT_CALLS = 2;

/** Calls of the day's on-demand quota that one client may spend. */
export async function readClientCalls(db: Db, budget: BudgetToday): Promise<number> {
  const quota = budget.expected * (await readOnDemandShare(db));
  return Math.max(CLIENT_CALLS, Math.floor(quota * CLIENT_SHARE));
}

/** As set by ops in the settings of `revalidate`. */
async function readOnDemandShare(db: Db): Promise<number> {
  const [row] = await db
    .select({ settings: job.settings })
    .from(job)
    .where(eq(job.name, "revalidate"));
  const share = row?.settings.on_demand_share;
  return typeof share === "number" ? share : defaultOnDemandShare;
}
