import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/server.ts";
import { createDataDir } from "../support/data-dir.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { openReplicated, type PostgresServer } from "../support/streaming-replica.ts";
import { until } from "../support/until.ts";

const limit = 150;
const cleanups: (() => Promise<unknown>)[] = [];
let primary: PostgresServer;
let replica: PostgresServer;
let upstream: RunningSandbox;
let env: Record<string, string>;

beforeEach(async () => {
  ({ primary, replica } = await openReplicated(cleanups));
  upstream = await startSandbox({ clock: systemClock, live: false, products: 200 });
  cleanups.push(upstream.close);
  const dir = await createDataDir();
  cleanups.push(dir.remove);
  env = {
    DATA_DIR: dir.path,
    PORT: "0",
    STOREFRONT_BASE_URL: upstream.url,
    STOREFRONT_DAILY_LIMIT: String(limit),
    STOREFRONT_MAX_CALLS_PER_SECOND: "6",
    CRAWL_KEYWORDS: upstream.keywords.join(","),
    CRAWL_PACING: "burst",
  };
}, 120_000);
afterEach(async () => {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const calls = () => upstream.control.calls.all().length;

async function start(more: Record<string, string>): Promise<{ process: TestProcess; url: string }> {
  const process = spawnKurabe(["start"], { env: { ...env, ...more } });
  const output = await process.says("kurabe is running");
  return { process, url: must(/"url":"(http:[^"]+)"/.exec(output)?.[1], "the address") };
}

async function promoted(...args: string[]): Promise<void> {
  const command = spawnKurabe(["promoted", ...args], {
    env: { ...env, DATABASE_URL: replica.url },
  });
  expect([await command.ended, command.stderr()]).toEqual([0, ""]);
}

async function readChanges(url: string, after: string): Promise<Response> {
  return fetch(`${url}/v1/changes?limit=1000&after=${encodeURIComponent(after)}`);
}

/** Calls were made that the replica did not receive, and the primary is gone for good. */
async function losePrimary(): Promise<{ cursor: string; made: number; known: number }> {
  const { process, url } = await start({
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: replica.url,
  });
  await until(() => calls() >= 15, { what: "the first calls" });
  await replica.db.execute(sql`alter system set primary_conninfo = ''`);
  await replica.db.execute(sql`select pg_reload_conf()`);
  await until(
    async () => (await replica.db.execute(sql`select from pg_stat_wal_receiver`)).length === 0,
    { what: "the replica to receive nothing" },
  );
  const before = calls();
  await until(() => calls() >= before + 25, { what: "calls that the replica lacks" });
  const answer = await fetch(`${url}/v1/changes?limit=1000`);
  const { next: cursor } = (await answer.json()) as { next: string };
  process.kill("SIGKILL");
  await process.ended;
  await primary.kill();
  await replica.db.execute(sql`select pg_promote()`);
  const [row] = await replica.db.execute<{ used: number }>(sql`
    select coalesce(sum(used), 0)::int as used from budget_day`);
  return { cursor, made: calls(), known: must(row, "the budget").used };
}

describe("a primary that is lost", () => {
  it("is replaced by its replica: no call beyond the limit, readers begin anew, and the mirror is proven", async () => {
    const { cursor, made, known } = await losePrimary();
    // The control: without knowing of these calls the promoted one would make them again.
    expect(known).toBeLessThan(made);
    await promoted("--calls-today", String(made));
    const { url } = await start({ DATABASE_URL: replica.url });
    await until(() => calls() > made + 10, { what: "the crawl to go on" });
    const used = async () => {
      const status = await (await fetch(`${url}/v1/status`)).json();
      return (status as { budget: { used: number } }).budget.used;
    };
    // What is kept for refreshes on demand stays unspent.
    await until(async () => (await used()) >= limit * 0.8, { what: "the day to be spent" });
    expect(calls()).toBeLessThanOrEqual(limit);
    expect((await readChanges(url, cursor)).status).toBe(410);
    await until(
      async () => {
        const proof = spawnKurabe(["verify-mirror"], {
          env: { ...env, DATABASE_URL: replica.url },
        });
        return (await proof.ended) === 0 || Promise.reject(new Error(proof.stdout()));
      },
      { what: "the index to be what Postgres has" },
    );
  }, 240_000);

  it("costs the rest of the day's calls if nobody knows how many were made", async () => {
    const { made } = await losePrimary();
    await promoted();
    const { url } = await start({ DATABASE_URL: replica.url });
    const search = await fetch(`${url}/v1/products?q=${encodeURIComponent("財布")}`);
    expect(search.status).toBe(200);
    expect(await (await fetch(`${url}/v1/status`)).json()).toMatchObject({
      budget: { limit, used: limit, remaining: 0 },
    });
    expect(calls()).toBe(made);
  }, 240_000);
});
