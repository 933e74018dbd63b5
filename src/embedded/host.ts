import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";

export interface Host {
  /** Resolved, existing. */
  dataDir: string;
  clock: Clock;
  logger: Logger;
  signal?: AbortSignal | undefined;
  /** Overrides our default settings of Postgres. */
  postgresSettings: Readonly<Record<string, string>>;
  /** A server of these ran already in this process. */
  isRunning?: boolean;
  /** Threads with which the search engine indexes; null or missing: half the cores, at least two. */
  indexingThreads?: number | null;
}

/** A server that is ready for use. */
export interface Server {
  url: string;
  pid: number;
}
