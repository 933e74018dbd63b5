import type { Context, MiddlewareHandler } from "hono";
import type { Registry } from "prom-client";
import type { Reach } from "../../alerts/delivery/addresses.ts";
import type { Clicks } from "../../catalog/visitors/clicks.ts";
import type { Demand } from "../../catalog/visitors/demand.ts";
import type { Market } from "../../catalog/market.ts";
import type { DayRules } from "../../crawl/budget/accounts.ts";
import type { Db, Tx } from "../../db/open.ts";
import type { ReplicaWatch } from "../../db/replica/watch.ts";
import type { CronFault } from "../../crawl/budget/cron-fault.ts";
import type { Keyring } from "../../keys/keyring.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Search } from "../../search/search.ts";
import type { PlacementStatus } from "../../search/cluster/placement-status.ts";
import type { MirrorStatus } from "../../search/mirror/status.ts";
import type { OperatorToken } from "./operators.ts";
import type { IncomingMessage } from "node:http";

export interface ApiDeps extends Search {
  /** Reads of the public API; the replica answers them while it is used. */
  db: Db;
  /** null: there is none. */
  replica: ReplicaWatch | null;
  /** For what the public API writes: refresh requests and demand. Always the primary. */
  writeDb: Db;
  /** For reads and writes of ops, in a pool that slow searches cannot starve. */
  opsDb: Db;
  clock: Clock;
  logger: Logger;
  /** Metrics are added to it and served from it. Each app needs its own. */
  registry: Registry;
  budget: DayRules;
  market: Market;
  sendsMails?: boolean;
  opsToken: string;
  /** Operators besides the one of `opsToken`. */
  operators: readonly OperatorToken[];
  clientAddress: ClientAddress;
  apiKeys: ApiKeyMode;
  keys: Keyring;
  webhookReach: Reach;
  /** Requests per minute and client; 0: no limit. */
  rateLimitPerMinute: number;
  exportsDir: string;
  /** The folder of the snapshots that everybody may read; null: none are published. */
  publicExportsDir: string | null;
  /** Counts shown and opened products, which are then checked more often. */
  demand: Demand;
  /** Counts clicks that lead to shops. */
  clicks: Clicks;
  mirrorStatus(): Promise<MirrorStatus>;
  placement(): Promise<PlacementStatus>;
  /** Begins a new index beside the serving one; returns its name. */
  startRebuild(tx: Tx): Promise<string>;
  cron: CronPort;
  /** Whether the database is migrated. */
  isReady(): boolean;
  /** Aborted when the process is told to stop. It goes on answering for a while. */
  stopping: AbortSignal;
  /** Loops of a worker in this process that do not turn any more. */
  hangingLoops(): readonly string[];
}

/** optional: a key lifts the limit of its client's address; required: the public API needs a key. */
export type ApiKeyMode = "off" | "optional" | "required";

export interface CronPort {
  /** The fault of a cron expression, or null. */
  fault(expression: string): CronFault | null;
  nextRuns(expression: string, count: number): Date[];
}

/** Values that middleware sets for the handlers. */
export interface ApiEnv {
  Variables: {
    requestId: string;
    /** The API key of the request; null for none. */
    keyId: number | null;
    /** Whether it is for pages, which show it to everybody. */
    isKeyOfPages: boolean;
    /** Who signed in to ops, and from where; set by the gate of the API and of the console. */
    operator: { operator: string; address: string };
  };
  /** Node's own request; undefined if the app runs without a server. */
  Bindings: { incoming?: IncomingMessage };
}

export type ApiContext = Context<ApiEnv>;
export type Middleware = MiddlewareHandler<ApiEnv>;
/** The address that a request counts against: see `createClientAddress`. */
export type ClientAddress = (c: ApiContext) => string;
