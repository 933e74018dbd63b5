import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import pino from "pino";
import type postgres from "postgres";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createRandom, type Random } from "../../src/lib/random.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/server.ts";
import { until } from "../support/until.ts";
import { createChecker, type Verdict } from "./checks/checker.ts";
import { startFleet, type Fleet, type Slot } from "./fleet.ts";
import { copyPrimary, openLargeSite, type LargeSite, type LargeSiteOptions } from "./large-site.ts";
import { startLoad, type Load } from "./load.ts";
import { openChaosServers, type ChaosServers } from "./servers.ts";
import { createTripwire, type Tripwire } from "./tripwire.ts";

export interface World {
  /** null: one Postgres, one search host and no pooler. */
  large: LargeSite | null;
  random: Random;
  servers: ChaosServers;
  sandbox: RunningSandbox;
  fleet: Fleet;
  tripwire: Tripwire;
  load: Load;
  /** The worker that holds a lease; null when that is nobody alive. */
  leader(lease: string): Promise<Slot | null>;
  opsToken: string;
  /** A request to the ops API; throws unless it is answered with a success. */
  ops(method: "GET" | "POST", path: string): Promise<unknown>;
  /** Lets the crawl stand still and everything else come to rest. */
  rest(): Promise<void>;
  wake(): Promise<void>;
  /** A full pass over everything the upstream has, while nothing changes there. */
  settle(): Promise<void>;
  /** The thirteen invariants; to be asked at rest. */
  check(): Promise<Verdict[]>;
  /** Why users were answered 500, as logged up to the latest check, with how often. */
  faults(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** An existing folder that the servers' account may enter. */
  dataDir: string;
  seed: number;
  workers: number;
  /** 1 unless told. */
  apis?: number;
  large?: LargeSiteOptions;
  products?: number;
  dailyLimit?: number;
  /** Settings of the processes, laid over ours. */
  env?: Record<string, string>;
}

const canary = (name: string) => `canary-${name}-${randomBytes(24).toString("hex")}`;

/** A small marketplace under steady load: upstream, database, engine and a fleet of Kurabes between them. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { seed, dataDir, dailyLimit = 1_000_000 } = options;
  const clientId = canary("id");
  const clientSecret = canary("secret");
  const opsToken = canary("token");
  const random = createRandom(seed);
  const sandbox = await startSandbox({
    clock: systemClock,
    live: false,
    products: options.products ?? 800,
    seed,
    dailyLimit,
    clientId,
    clientSecret,
  });
  const logger = pino({ level: "error" }, pino.destination(2));
  await mkdir(`${dataDir}/servers`, { recursive: true });
  if (options.large) await copyPrimary(dataDir, logger);
  const servers = await openChaosServers(`${dataDir}/servers`, logger);
  const large = options.large ? await openLargeSite(options.large, dataDir, servers, logger) : null;
  const tripwire = createTripwire();
  const burials = new Set<Promise<void>>();
  const faults = new Map<string, number>();
  const fleet = await startFleet({
    workers: options.workers,
    apis: options.apis ?? 1,
    dataDir,
    tripwire,
    targets: {
      upstream: sandbox.url,
      database: servers.databaseUrl,
      ...(large
        ? { replica: large.replicaUrl, ...(large.pooler && { pooler: large.pooler.url }) }
        : { engine: servers.engine.host }),
    },
    env: {
      MEILI_API_KEY: servers.engine.apiKey,
      OPS_TOKEN: opsToken,
      STOREFRONT_CLIENT_ID: clientId,
      STOREFRONT_CLIENT_SECRET: clientSecret,
      STOREFRONT_DAILY_LIMIT: String(dailyLimit),
      STOREFRONT_MAX_CALLS_PER_SECOND: "60",
      CRAWL_PACING: "burst",
      CRAWL_KEYWORDS: sandbox.keywords.join(","),
      LOG_FORMAT: "json",
      // Hosts are known by their addresses, which have to be the same for every process.
      ...(large && { MEILI_HOST: large.hosts.join(","), SEARCH_COPIES: "2" }),
      ...options.env,
    },
    bury(holders) {
      const burial = buryLeases(servers, holders).finally(() => burials.delete(burial));
      burials.add(burial);
    },
  });
  const load = startLoad({ sandbox, random, api: fleet.servingApi });
  const checker = createChecker({
    databaseUrl: servers.databaseUrl,
    hosts: large?.hosts ?? [servers.engine.host],
    apiKey: servers.engine.apiKey,
    upstreamUrl: sandbox.url,
    opsToken,
    secrets: [
      clientId,
      clientSecret,
      opsToken,
      servers.engine.apiKey,
      new URL(servers.databaseUrl).password,
    ],
  });
  let passBeganAt: Date | null = null;
  let isSettled = false;

  async function ops(method: "GET" | "POST", path: string): Promise<unknown> {
    const answer = await fetch(`${must(fleet.servingApi(), "an API that serves")}/ops/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${opsToken}` },
      signal: AbortSignal.timeout(5000),
    });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }
  const persist = (method: "GET" | "POST", path: string) =>
    until(async () => (await ops(method, path), true), { what: path });

  async function runJob(name: string): Promise<void> {
    await persist("POST", `jobs/${name}/run`);
    await until(
      () =>
        servers.sql(async (sql) => {
          const active = await sql`
            select from job_run where job = ${name} and finished_at is null and trigger = 'manual'`;
          return active.length === 0;
        }),
      { what: `${name} to be done`, timeoutMs: 300_000 },
    );
  }

  return {
    random,
    large,
    servers,
    sandbox,
    fleet,
    tripwire,
    load,
    opsToken,
    ops,
    async leader(lease) {
      const [row] = await servers.sql(
        (sql) => sql<{ holder: string }[]>`
          select holder from lease where name = ${lease} and expires_at > now()`,
      );
      const isHolder = (slot: Slot) => tripwire.holders(slot.name).includes(row?.holder ?? "");
      return fleet.workers().find(isHolder) ?? null;
    },
    async rest() {
      await load.pause();
      await persist("POST", "pause");
      await until(() => servers.sql(isAtRest), { what: "everything to rest", timeoutMs: 60_000 });
    },
    async wake() {
      isSettled = false;
      await persist("POST", "resume");
      load.resume();
    },
    async settle() {
      await load.pause();
      await persist("POST", "resume");
      const began = systemClock.now();
      for (const job of ["discover", "feed", "revalidate"]) await runJob(job);
      await persist("POST", "deletions/release");
      await until(
        () =>
          servers.sql(
            async (sql) =>
              (await sql`select from refresh_request where done_at is null`).length === 0,
          ),
        { what: "all users to be answered" },
      );
      passBeganAt = began;
      isSettled = true;
    },
    async check() {
      const logs = fleet.takeLogs();
      for (const cause of faultsIn(logs)) faults.set(cause, (faults.get(cause) ?? 0) + 1);
      const apiUrl = must(fleet.servingApi(), "an API that serves");
      return checker.check({ apiUrl, logs, passBeganAt, isSettled });
    },
    faults: () => faults,
    async close() {
      await load.pause();
      await fleet.close();
      await Promise.all(burials);
      await large?.close();
      await servers.close();
      await sandbox.close();
    },
  };
}

/** The causes of answers with status 500, which alone are logged as errors of a request. */
function faultsIn(logs: string): string[] {
  return logs.split("\n").flatMap((line) => {
    if (!line.includes('"requestId"') || !line.startsWith('{"level":50,')) return [];
    const { err } = JSON.parse(line) as { err: { type: string; message: string } };
    const { type, message } = err;
    // The cause of a failed statement stands at its end.
    const text =
      message.length > 300 ? `${message.slice(0, 150)} … ${message.slice(-150)}` : message;
    return [`${type}: ${text}`];
  });
}

/** No call is on its way, and the index has everything; throws what is still missing. */
async function isAtRest(sql: postgres.Sql): Promise<true> {
  const [row] = await sql<Record<string, boolean>[]>`
    select exists (select from mirror m join mirror_index i using (index_uid)
        where i.state <> 'retired' and desired_version > indexed_version and dead_lettered_at is null) as "rows on their way",
      exists (select from mirror_batch b join mirror_index i using (index_uid)
        where b.state in ('building', 'sent') and i.state <> 'retired') as "batches under way",
      exists (select from mirror_index where state = 'building') as "a rebuild",
      exists (select from search_placement where state <> 'serving') as "buckets on their way",
      not exists (select from mirror_index where state = 'serving') as "no index yet",
      coalesce((select max(reserved_at) from api_call) > now() - interval '300 ms', true)
        as "calls just made",
      exists (select from pg_stat_activity
        where application_name = 'kurabe:crawl' and state <> 'idle') as "the crawl at work"`;
  const restless = Object.entries(row ?? {}).filter(([, is]) => is);
  if (restless.length > 0) throw new Error(restless.map(([what]) => what).join(", "));
  return true;
}

/**
 * A killed process cannot give its leases back, and waiting out each of them (6 s for the crawl, 15 s
 * for the mirror) would be most of a run; rounds that pause a process do wait.
 */
async function buryLeases(servers: ChaosServers, holders: readonly string[]): Promise<void> {
  if (holders.length === 0) return;
  const bury = () =>
    servers.sql(async (sql) => {
      await sql`update lease set expires_at = now() - interval '1 ms'
        where holder::text in (select json_array_elements_text(${JSON.stringify(holders)}::text::json))`;
      return true;
    });
  await until(bury, { what: "dead holders to be buried" });
}
