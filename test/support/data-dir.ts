import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { openEmbedded, type Embedded } from "../../src/embedded/open.ts";
import { findByCommand, type ProcessInfo } from "../../src/embedded/process-table.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { fastPostgres } from "./fast-postgres.ts";

export interface DataDir {
  path: string;
  /** Opens the servers in this process. */
  open(over?: Partial<Parameters<typeof openEmbedded>[0]>): Promise<Embedded>;
  postmasters(): ProcessInfo[];
  engines(): ProcessInfo[];
  /** Kills what still runs on the folder, then removes it. */
  remove(): Promise<void>;
}

/** A new DATA_DIR, closed (0700) like many checkouts in home folders. */
export async function createDataDir(): Promise<DataDir> {
  const parent = await mkdtemp(join(inject("runDir"), "data-"));
  const path = join(parent, "data");
  const postmasters = () => findByCommand(` -D ${path}/postgres/data `);
  const engines = () => findByCommand(` --db-path ${path}/meilisearch/db `);
  return {
    path,
    open: (over = {}) =>
      openEmbedded({
        dataDir: path,
        postgres: true,
        meilisearch: true,
        clock: systemClock,
        logger: silentLogger,
        postgresSettings: fastPostgres,
        ...over,
      }),
    postmasters,
    engines,
    async remove() {
      for (const { pid } of postmasters()) process.kill(pid, "SIGQUIT");
      for (const { pid } of engines()) process.kill(pid, "SIGKILL");
      await rm(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
