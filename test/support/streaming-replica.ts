import { execFile } from "node:child_process";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { migrateDb } from "../../src/db/migrate.ts";
import type { Db } from "../../src/db/open.ts";
import { ensurePostgres } from "../../src/embedded/postgres/postgres.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createDataDir } from "./data-dir.ts";
import { expectEnded } from "./processes.ts";
import { until } from "./until.ts";
import { openPool } from "./postgres.ts";

export interface PostgresServer {
  url: string;
  port: number;
  db: Db;
  /** Ends it at once: what it has not sent to its replica is lost. It stays dead. */
  kill(): Promise<void>;
}

const postgresSettings = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  wal_retrieve_retry_interval: "200ms",
};

/** A migrated primary and its streaming replica, each a server of its own, made of the embedded binaries. */
export async function openReplicated(
  cleanups: (() => Promise<unknown>)[],
): Promise<{ primary: PostgresServer; replica: PostgresServer }> {
  const [first, second] = await Promise.all([createDataDir(), createDataDir()]);
  cleanups.push(first.remove, second.remove);
  for (const { path } of [first, second]) await mkdir(join(path, "logs"), { recursive: true });
  const made = await start(first.path);
  await migrateDb(made.url);
  await stop(made.pid, "SIGINT");
  await promisify(execFile)("cp", ["-a", join(first.path, "postgres"), second.path]);
  const primary = await open(first.path, cleanups);
  await follow(join(second.path, "postgres"), new URL(primary.url));
  return { primary, replica: await open(second.path, cleanups) };
}

/** A replay that was only asked to pause may still show the next change. */
export async function pauseReplay(replica: Db): Promise<void> {
  await replica.execute(sql`select pg_wal_replay_pause()`);
  const isPaused = async () => {
    const [row] = await replica.execute<{ state: string }>(
      sql`select pg_get_wal_replay_pause_state() as state`,
    );
    return row?.state === "paused";
  };
  await until(isPaused, { timeoutMs: 20_000, what: "the replay to be paused" });
}

/** What the primary writes from now on does not reach its replica. */
export async function cutReplication(replica: Db): Promise<void> {
  await replica.execute(sql`alter system set primary_conninfo = ''`);
  await replica.execute(sql`select pg_reload_conf()`);
  const isCut = async () =>
    (await replica.execute(sql`select from pg_stat_wal_receiver`)).length === 0;
  await until(isCut, { timeoutMs: 20_000, what: "the replication to end" });
}

/** Makes a copied cluster the replica of the server at this address. */
async function follow(home: string, { hostname, port, username, password }: URL): Promise<void> {
  await rm(join(home, "port"));
  await writeFile(join(home, "data", "standby.signal"), "");
  const from = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(home, "data", "postgresql.auto.conf"), `primary_conninfo = '${from}'\n`);
}

const start = (dataDir: string) =>
  ensurePostgres({
    dataDir,
    clock: systemClock,
    logger: silentLogger,
    postgresSettings,
  });

async function stop(pid: number, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  process.kill(pid, signal);
  await expectEnded([pid]);
}

async function open(
  dataDir: string,
  cleanups: (() => Promise<unknown>)[],
): Promise<PostgresServer> {
  const { url, pid } = await start(dataDir);
  const { db, close } = openPool(url);
  cleanups.push(close);
  return { url, port: Number(new URL(url).port), db, kill: () => stop(pid, "SIGQUIT") };
}
