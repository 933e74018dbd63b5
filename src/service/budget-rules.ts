import type { Config } from "../config.ts";
import type { BudgetRules } from "../crawl/budget/budget.ts";
import { createFires } from "./worker/schedule.ts";
import { CALL_TIMEOUT_MS } from "./upstream.ts";

export function budgetRules(config: Config): BudgetRules {
  const { dailyLimit, timezone, maxCallsPerSecond, accounts } = config.storefront;
  return {
    dailyLimit,
    timezone,
    maxCallsPerSecond,
    flightMs: CALL_TIMEOUT_MS,
    skewMs: 5000,
    heedsDatabaseClock: true,
    firesOf: createFires(timezone),
    // Without their credentials.
    ...(accounts && {
      accounts: accounts.map((account) => ({
        name: account.name,
        dailyLimit: account.dailyLimit,
        timezone: account.timezone,
        maxCallsPerSecond: account.maxCallsPerSecond,
      })),
    }),
  };
}
