import { createMarket, type Market } from "../catalog/market.ts";
import type { Config } from "../config.ts";
import { loopbackPicturesOf } from "../lib/safe-url.ts";
import type { BudgetRules } from "../crawl/budget/budget.ts";
import { createFires } from "./worker/schedule.ts";
import { callTimeoutMs } from "./upstream.ts";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { keepSecret } from "./kept-secret.ts";

export function marketOf({ storefront, publicUrl }: Config): Market {
  return createMarket({
    urlTemplate: storefront.productUrlTemplate,
    currency: storefront.currency,
    loopbackPictures: loopbackPicturesOf(storefront.baseUrl),
    publicUrl,
  });
}

export function budgetRules(config: Config): BudgetRules {
  const { dailyLimit, timezone, maxCallsPerSecond, accounts } = config.storefront;
  return {
    dailyLimit,
    timezone,
    maxCallsPerSecond,
    flightMs: callTimeoutMs,
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

interface OpsToken {
  token: string;
  /** The file with the token; null if the environment provides it. */
  path: string | null;
}

/** The token of OPS_TOKEN, or else the one stored in `dataDir` (mode 0600), created at the first start. */
export async function readOpsToken(given: string | null, dataDir: string): Promise<OpsToken> {
  if (given) return { token: given, path: null };
  const path = join(dataDir, "ops-token");
  const token = await keepSecret(path, () => randomBytes(32).toString("base64url"));
  return { token, path };
}
