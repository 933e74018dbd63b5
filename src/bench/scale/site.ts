import { Registry } from "prom-client";
import { createReach } from "../../alerts/delivery/addresses.ts";
import { createClickBuffer } from "../../catalog/visitors/clicks.ts";
import { createDemandBuffer } from "../../catalog/visitors/demand.ts";
import { createMarket, defaultMarket } from "../../catalog/market.ts";
import type { Db } from "../../db/open.ts";
import { createKeyring } from "../../keys/keyring.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { oneHostPlacement } from "../../search/cluster/placement-status.ts";
import { startRebuild } from "../../search/mirror/rebuild.ts";
import { readMirrorStatus } from "../../search/mirror/status.ts";
import type { createSearch } from "../../search/search.ts";
import { cronFault, nextCronRuns } from "../../service/worker/schedule.ts";
import { createSite } from "../../web/site.tsx";

export const opsToken = "the-bench-of-statements-by-size-0123456789";

/** The whole API and the pages, without what only a worker or an operator needs. */
export function createBenchSite(
  { db, clock, logger, timezone }: { db: Db; clock: Clock; logger: Logger; timezone: string },
  search: ReturnType<typeof createSearch>,
) {
  const demand = createDemandBuffer(db, clock);
  const clicks = createClickBuffer(db, clock, { timezone, demand });
  const keys = createKeyring({ db, clock, timezone });
  const app = createSite({
    db,
    writeDb: db,
    opsDb: db,
    replica: null,
    demand,
    clicks,
    clock,
    logger,
    registry: new Registry(),
    market: createMarket(defaultMarket),
    budget: { dailyLimit: 1_000_000, timezone },
    opsToken,
    operators: [],
    clientAddress: () => "client",
    apiKeys: "off",
    keys,
    rateLimitPerMinute: 0,
    webhookReach: createReach([]),
    exportsDir: "/nowhere",
    publicExportsDir: null,
    ...search,
    placement: async () => oneHostPlacement,
    mirrorStatus: () => readMirrorStatus(db),
    startRebuild: (tx) => startRebuild(tx),
    cron: {
      fault: cronFault,
      nextRuns: (expression, count) => nextCronRuns(expression, count, timezone),
    },
    isReady: () => true,
    stopping: new AbortController().signal,
    hangingLoops: () => [],
  });
  return { app, flushes: [demand.flush, clicks.flush, keys.flush] };
}
