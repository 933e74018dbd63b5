import type { Registry } from "prom-client";
import type { Demand } from "../../catalog/demand.ts";
import type { DayRules } from "../../crawl/budget/budget.ts";
import type { Db, Tx } from "../../db/open.ts";
import type { CronFault } from "../../lib/cron-fault.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Search } from "../../search/search.ts";
import type { MirrorStatus } from "../../search/mirror/status.ts";
import type { ClientAddress } from "./client-address.ts";

/** Everything the API needs of the process it runs in. */
export interface ApiDeps extends Search {
  /** Reads of the public API; may be a replica. */
  db: Db;
  /** What the public API writes: refresh requests and demand; always the primary. */
  writeDb: Db;
  /** Reads and writes of ops, in a pool that slow searches cannot starve. */
  opsDb: Db;
  clock: Clock;
  logger: Logger;
  /** Metrics are added to it and served from it; one app a registry. */
  registry: Registry;
  budget: DayRules;
  opsToken: string;
  clientAddress: ClientAddress;
  /** Requests a minute and client; 0: no limit. */
  rateLimitPerMinute: number;
  /** The folder `kurabe export` writes to. */
  exportsDir: string;
  /** Told what is shown and opened, so that it is kept fresh. */
  demand: Demand;
  mirrorStatus(): Promise<MirrorStatus>;
  /** Begins building a new index beside the one in service; its name. */
  startRebuild(tx: Tx): Promise<string>;
  cron: CronPort;
  /** Migrated, and not about to stop. */
  isReady(): boolean;
}

export interface CronPort {
  /** What is wrong with an expression, or null. */
  fault(expression: string): CronFault | null;
  nextRuns(expression: string, count: number): Date[];
}
