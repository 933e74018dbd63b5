import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { asAccount } from "../account.ts";
import { EmbeddedError } from "../errors.ts";
import { launch, type Launched } from "../launch.ts";
import { openCluster, superuser, type Cluster } from "./cluster.ts";
import { findByWorkingDir, findProcess, stopProcess, type ProcessInfo } from "../process-table.ts";
import { isUsable, startServer, type Host, type Server, type Answer } from "../server.ts";
import { unlessAborted } from "../../lib/async.ts";
import { unlessMissing } from "../../lib/files.ts";
import { errorCode } from "../../lib/error-code.ts";

const databaseName = "kurabe";

/** Crash-safe, with little memory. Statements are not logged, because they contain whole pages of products. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "256MB",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  wal_compression: "pglz",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  log_min_error_statement: "panic",
};

/**
 * Starts the embedded Postgres. If it already runs, adopts it if it answers with our credentials, and
 * replaces it otherwise. Call it only under the lock.
 */
export async function ensurePostgres(host: Host): Promise<Server> {
  const cluster = await openCluster(host);
  const running = await findPostmaster(cluster.dir);
  if (running) {
    const server = { url: toUrl(cluster, running.port, databaseName), pid: running.process.pid };
    const admin = toUrl(cluster, running.port, "postgres");
    if (await isUsable(host, server.pid, () => askPostgres(admin, cluster.dir))) {
      await createDatabase(admin, databaseName);
      return server;
    }
    host.logger.warn(`the embedded Postgres (pid ${server.pid}) does not answer: replacing it`);
    await stopPostmaster(host, running.process, 3_000);
  }
  await clearRemains(host, cluster.dir);
  return startPostgres(host, cluster);
}

/** Stops the embedded Postgres if it runs (fast shutdown). Call it only under the lock. */
export async function stopPostgres(host: Host): Promise<void> {
  const running = await findPostmaster(join(host.dataDir, "postgres", "data"));
  if (running) await stopPostmaster(host, running.process, 20_000);
}

function toUrl(cluster: Cluster, port: number, database: string): string {
  return `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

interface Postmaster {
  process: ProcessInfo;
  port: number;
}

/** The process of postmaster.pid, if it is alive and certainly belongs to this cluster. */
async function findPostmaster(dir: string): Promise<Postmaster | null> {
  const lines = await readPidFile(dir);
  const process = findProcess(Number(lines?.[0]));
  if (!process?.command.includes(` -D ${dir} `)) return null;
  return { process, port: Number(lines?.[3]) };
}

async function readPidFile(dir: string): Promise<string[] | null> {
  const text = await unlessMissing(readFile(join(dir, "postmaster.pid"), "utf8"));
  return text?.split("\n") ?? null;
}

/** SIGINT ends sessions and writes a checkpoint. SIGQUIT is safe too, but the next start needs a recovery. */
async function stopPostmaster(host: Host, process: ProcessInfo, patienceMs: number): Promise<void> {
  const signals = { SIGINT: patienceMs, SIGQUIT: 3_000, SIGKILL: 5_000 };
  if (await stopProcess(process, signals, host.clock)) return;
  throw new EmbeddedError(`Postgres (pid ${process.pid}) cannot be stopped: end it by hand`);
}

/**
 * Cleans up after a kill -9 of the postmaster. A busy backend can survive and block the next start,
 * and Postgres refuses to start if the number in postmaster.pid now belongs to another process.
 */
async function clearRemains(host: Host, dir: string): Promise<void> {
  for (const process of findByWorkingDir(dir))
    await stopProcess(process, { SIGQUIT: 2_000, SIGKILL: 5_000 }, host.clock);
  if (await readPidFile(dir)) await rm(join(dir, "postmaster.pid"), { force: true });
}

async function startPostgres(host: Host, cluster: Cluster): Promise<Server> {
  const adminUrl = (port: number) => toUrl(cluster, port, "postgres");
  const stop = () => stopPostgres(host);
  const { port, pid } = await startServer(host, {
    failure: `the embedded Postgres in ${cluster.dir} does not start: correct the fault below, or set DATABASE_URL`,
    portFile: join(cluster.home, "port"),
    launch: (port) => launchPostmaster(host, cluster, port),
    ask: (port) => askPostgres(adminUrl(port), cluster.dir),
    silentMs: 30_000,
    stop,
  });
  try {
    await createDatabase(adminUrl(port), databaseName);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: toUrl(cluster, port, databaseName), pid };
}

function launchPostmaster(host: Host, cluster: Cluster, port: number): Promise<Launched> {
  const all = { ...settings, ...host.postgresSettings, port: String(port) };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const { binary, dir, env, account } = cluster;
  return launch({
    ...asAccount(account, { file: binary, args: ["-D", dir, ...flags], env }),
    cwd: "/",
    logFile: join(host.dataDir, "logs", "postgres.log"),
  });
}

const starting = "57P03";
/** Wrong password, unknown role, refused by pg_hba.conf. */
const refused = ["28P01", "28000"];

/** Logs in with our credentials and checks that the server belongs to this cluster. */
async function askPostgres(url: string, clusterDir: string): Promise<Answer> {
  try {
    return await inSession(url, async (client) => {
      const rows = await client<{ dir: string }[]>`select current_setting('data_directory') as dir`;
      return rows[0]?.dir === clusterDir ? "ready" : "foreign";
    });
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === starting) return "starting";
    return refused.includes(code) ? "foreign" : "silent";
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  await inSession(url, async (client) => {
    const found = await client`select 1 from pg_database where datname = ${name}`;
    if (found.length === 0) await client`create database ${client(name)}`;
  });
}

const sessionTimeoutMs = 10_000;

/** A stopped process still accepts connections but never answers, so the whole session has a deadline. */
async function inSession<T>(url: string, work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const client = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 3,
    connection: { application_name: "kurabe:embedded" },
  });
  try {
    return await unlessAborted(work(client), AbortSignal.timeout(sessionTimeoutMs));
  } finally {
    await client.end({ timeout: 0 });
  }
}
