import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";

/** What the servers are started with. */
export interface Host {
  /** Resolved, existing. */
  dataDir: string;
  clock: Clock;
  logger: Logger;
  signal?: AbortSignal | undefined;
  /** Laid over our own settings of Postgres. */
  postgresSettings: Readonly<Record<string, string>>;
}

/** A server that is ready for use. */
export interface Server {
  url: string;
  pid: number;
}
