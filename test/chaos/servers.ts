import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import postgres from "postgres";
import { openEmbedded } from "../../src/embedded/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { killByCommand } from "../support/more-search-hosts.ts";

/** A Postgres and a Meilisearch of the run's own, which are started again on their ports whenever they die. */
export interface ChaosServers {
  databaseUrl: string;
  engine: { host: string; apiKey: string };
  /** fast: sessions are ended in order. immediate: as if the machine had lost power. */
  stopPostgres(how: "fast" | "immediate"): Promise<void>;
  killEngine(): Promise<void>;
  /** Kills it and takes its data away. */
  wipeEngine(): Promise<void>;
  /** A connection of one's own for `work`. */
  sql<T>(work: (client: postgres.Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Nothing outlives the machine, but what was committed has to outlive the server. */
export const postgresSettings = {
  fsync: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "128MB",
  wal_retrieve_retry_interval: "500ms",
};

export async function openChaosServers(dataDir: string, logger: Logger): Promise<ChaosServers> {
  const embedded = await openEmbedded({
    dataDir,
    postgres: true,
    meilisearch: true,
    clock: systemClock,
    logger,
    postgresSettings,
  });
  const databaseUrl = must(embedded.databaseUrl, "a database");
  const engine = must(embedded.meili, "a search engine");
  const postmaster = ` -D ${dataDir}/postgres/data `;
  const meilisearch = ` --db-path ${dataDir}/meilisearch/db `;

  async function sql<T>(work: (client: postgres.Sql) => Promise<T>): Promise<T> {
    const client = postgres(databaseUrl, {
      max: 1,
      fetch_types: false,
      onnotice: () => {},
      connect_timeout: 5,
    });
    try {
      return await work(client);
    } finally {
      await client.end({ timeout: 5 });
    }
  }

  return {
    databaseUrl,
    engine,
    stopPostgres: (how) => killByCommand(postmaster, how === "fast" ? "SIGINT" : "SIGQUIT"),
    killEngine: () => killByCommand(meilisearch, "SIGKILL"),
    async wipeEngine() {
      await killByCommand(meilisearch, "SIGKILL");
      const db = join(dataDir, "meilisearch", "db");
      await rename(db, `${db}.wiped-${performance.now()}`);
    },
    sql,
    close: embedded.close,
  };
}
