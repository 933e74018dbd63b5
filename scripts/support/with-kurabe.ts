import { loadConfig } from "../../src/config.ts";
import type { Db } from "../../src/db/open.ts";
import { systemClock as clock } from "../../src/lib/clock.ts";
import {
  startSandbox,
  type RunningSandbox,
  type SandboxOptions,
} from "../../src/sandbox/server.ts";
import { startService, type Service } from "../../src/service/service.ts";
import { closing } from "./closing.ts";
import { inFolder, logger } from "./servers.ts";

export interface CrawledSandbox {
  sandbox: RunningSandbox;
  service: Service;
  db: Db;
}

/** Runs `work` with a sandbox and the whole of Kurabe, which crawls it as fast as it can; removes both. */
export function withKurabe<T>(
  options: Omit<SandboxOptions, "clock">,
  work: (crawled: CrawledSandbox) => Promise<T>,
): Promise<T> {
  return inFolder(async (dataDir) => {
    const sandbox = await startSandbox({ clock, dailyLimit: 1_000_000, ...options });
    return closing(sandbox.close, async () => {
      const config = loadConfig({
        DATA_DIR: dataDir,
        PORT: "0",
        STOREFRONT_BASE_URL: sandbox.url,
        STOREFRONT_DAILY_LIMIT: "1000000",
        STOREFRONT_MAX_CALLS_PER_SECOND: "1000",
        CRAWL_PACING: "burst",
        CRAWL_KEYWORDS: sandbox.keywords.join(","),
      });
      const { signal } = new AbortController();
      const roles = { api: true, worker: true };
      const service = await startService(config, roles, { clock, logger, signal });
      return closing(service.stop, () => {
        const connections = { maxConnections: 2, statementTimeoutMs: 60_000 };
        return work({ sandbox, service, db: service.resources.pool("prove", connections) });
      });
    });
  });
}
