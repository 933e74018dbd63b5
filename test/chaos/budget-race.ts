import { setTimeout as pause } from "node:timers/promises";
import { until } from "../support/until.ts";
import { openWorld, type WorldOptions } from "./world.ts";

export interface BudgetRace {
  limit: number;
  /** By the upstream's own access log. */
  arrived: number;
  kills: number;
  violations: string[];
}

/**
 * Eight processes at the end of the day: few calls are left, the crawl's lease is taken from whoever
 * has it again and again, so that several crawl at once, and one after another is killed. The
 * upstream itself would admit far more.
 */
export async function raceForBudget(
  options: Pick<WorldOptions, "dataDir" | "seed"> & { limit?: number },
): Promise<BudgetRace> {
  const { limit = 120 } = options;
  const world = await openWorld({ ...options, workers: 8, dailyLimit: limit, products: 2000 });
  const { fleet, servers, sandbox, random } = world;
  sandbox.control.calls.setDailyLimit(1_000_000);
  const over = new AbortController();
  let killing = Promise.resolve();
  try {
    await Promise.all(fleet.slots.map((slot) => slot.ready()));
    // No user asks here: a share kept for them would stay unspent.
    await servers.sql(
      (sql) => sql`update job set settings = settings || '{"on_demand_share": 0}'
        where name = 'revalidate'`,
    );
    const isSpent = () =>
      servers.sql(async (sql) => {
        const rows = await sql`select from budget_day where used >= limit_calls`;
        return rows.length > 0;
      });
    /** Whoever crawls finds itself replaced, and its successor begins beside it. */
    const depose = () =>
      servers.sql((sql) => sql`update lease set expires_at = now() where name = 'crawl'`);
    killing = (async () => {
      while (!over.signal.aborted) {
        await pause(random.integer(500, 1500));
        const worker = random.pick(fleet.workers());
        const killed = worker.process();
        worker.kill();
        await killed.ended;
        await depose();
        // If they were killed faster than they start, nobody would make a call on a busy machine.
        await worker.ready().catch(() => {});
      }
    })();
    await until(isSpent, { what: "the budget to be spent", timeoutMs: 300_000 });
    // Those still running, and those just starting, try on.
    await pause(3000);
    over.abort();
    await killing;
    await fleet.api().ready();
    const budget = (await world.check()).find((verdict) => verdict.number === 1);
    const arrived = Object.values(sandbox.control.calls.countedByDay());
    return {
      limit,
      arrived: Math.max(0, ...arrived),
      kills: fleet.kills(),
      violations: [
        ...(budget?.violations ?? ["the budget was not looked at"]),
        ...arrived.filter((calls) => calls > limit).map((calls) => `${calls} calls in a day`),
      ],
    };
  } finally {
    over.abort();
    await killing;
    await world.close();
  }
}
