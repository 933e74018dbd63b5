import { execFile } from "node:child_process";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Logger } from "pino";
import postgres from "postgres";
import { openEmbedded } from "../../src/embedded/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { killByCommand, openMoreSearchHosts } from "../support/more-search-hosts.ts";
import { startPgbouncer, type Pgbouncer } from "../support/pgbouncer.ts";
import { postgresSettings, type ChaosServers } from "./servers.ts";

export interface LargeSiteOptions {
  /** The program; null: no pooler. */
  pgbouncer: string | null;
  searchHosts: number;
}

/** What a large site has besides the primary and the first search host. */
export interface LargeSite {
  replicaUrl: string;
  pooler: Pgbouncer | null;
  /** The addresses of all search hosts, the first included. */
  hosts: readonly string[];
  /** Each is started again by itself. */
  killHost(nth: number, data: "kept" | "wiped"): Promise<void>;
  killReplica(): Promise<void>;
  /** The replica stays as it is meanwhile. */
  holdReplay(forMs: number): Promise<void>;
  close(): Promise<void>;
}

/** A copy of the primary, made while it is down, before anything else is opened. */
export async function copyPrimary(dataDir: string, logger: Logger): Promise<void> {
  const host = { dataDir: join(dataDir, "servers"), clock: systemClock, logger, postgresSettings };
  await mkdir(join(dataDir, "replica"), { recursive: true });
  const embedded = await openEmbedded({ ...host, postgres: true, meilisearch: false });
  await embedded.close();
  await promisify(execFile)("cp", [
    "-a",
    join(host.dataDir, "postgres"),
    join(dataDir, "replica", "postgres"),
  ]);
}

/** The rest of the site, once the primary and the first search host run. */
export async function openLargeSite(
  { pgbouncer, searchHosts }: LargeSiteOptions,
  dataDir: string,
  servers: ChaosServers,
  logger: Logger,
): Promise<LargeSite> {
  const host = { clock: systemClock, logger, postgresSettings };
  const replicaDir = join(dataDir, "replica");
  const { hostname, port, username, password } = new URL(servers.databaseUrl);
  const from = `host=${hostname} port=${port} user=${username} password=${password}`;
  const home = join(replicaDir, "postgres");
  await rm(join(home, "port"), { force: true });
  await writeFile(join(home, "data", "standby.signal"), "");
  await appendFile(join(home, "data", "postgresql.auto.conf"), `primary_conninfo = '${from}'\n`);
  const replica = await openEmbedded({
    ...host,
    dataDir: replicaDir,
    postgres: true,
    meilisearch: false,
  });
  const replicaUrl = must(replica.databaseUrl, "a replica");

  const dirs = Array.from({ length: searchHosts - 1 }, (_, i) => join(dataDir, `search-${i + 2}`));
  const others = await openMoreSearchHosts(dirs, { apiKey: servers.engine.apiKey, logger });
  const pooler =
    pgbouncer === null
      ? null
      : await startPgbouncer({
          program: pgbouncer,
          databaseUrl: servers.databaseUrl,
          connections: 60,
        });

  return {
    replicaUrl,
    pooler,
    hosts: [servers.engine.host, ...others.map((one) => one.url)],
    async killHost(nth, data) {
      const other = others[nth - 1];
      if (other) await other.kill(data);
      else if (data === "wiped") await servers.wipeEngine();
      else await servers.killEngine();
    },
    killReplica: () => killByCommand(` -D ${home}/data `, "SIGKILL"),
    async holdReplay(forMs) {
      const sql = postgres(replicaUrl, { max: 1, fetch_types: false });
      try {
        await sql`select pg_wal_replay_pause()`;
        await pause(forMs);
        await sql`select pg_wal_replay_resume()`;
      } finally {
        await sql.end({ timeout: 5 });
      }
    },
    async close() {
      await pooler?.close();
      await replica.close();
      await Promise.all(others.map((one) => one.close()));
    },
  };
}
