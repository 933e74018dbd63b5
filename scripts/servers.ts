import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedded, type Embedded, type EmbeddedOptions } from "../src/embedded/open.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createLogger } from "../src/lib/logger.ts";
import { must } from "../src/lib/must.ts";

interface ScratchServers {
  /** A folder for the script's own files, removed afterwards. */
  dir: string;
  databaseUrl: string;
  meili: { host: string; apiKey: string };
}

/** Runs `work` with an empty Postgres and Meilisearch of its own, and removes both. */
export async function withServers<T>(
  work: (servers: ScratchServers) => Promise<T>,
  indexingThreads?: number,
): Promise<T> {
  return withEmbedded(
    { meilisearch: true, ...(indexingThreads && { indexingThreads }) },
    ({ databaseUrl, meili }, dir) =>
      work({
        dir,
        databaseUrl: must(databaseUrl, "a database"),
        meili: must(meili, "a search engine"),
      }),
  );
}

/** The same with Postgres alone; `postgresSettings` override ours. */
export async function withPostgres<T>(
  work: (databaseUrl: string) => Promise<T>,
  postgresSettings: Record<string, string> = {},
): Promise<T> {
  return withEmbedded({ meilisearch: false, postgresSettings }, ({ databaseUrl }) =>
    work(must(databaseUrl, "a database")),
  );
}

async function withEmbedded<T>(
  options: Pick<EmbeddedOptions, "meilisearch" | "postgresSettings" | "indexingThreads">,
  work: (servers: Embedded, dir: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "kurabe-script-"));
  try {
    const servers = await openEmbedded({
      ...options,
      dataDir: dir,
      postgres: true,
      clock: systemClock,
      logger: createLogger({ level: "warn", format: "json" }),
    });
    try {
      return await work(servers, dir);
    } finally {
      await servers.close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
