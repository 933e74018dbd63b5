import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/server.ts";
import { storeItems } from "../support/catalog.ts";
import { createDataDir } from "../support/data-dir.ts";
import { emptyCopy, followOnce, type Copy } from "../support/follower.ts";
import { crawlOf } from "../support/kurabe-env.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { searchItem } from "../support/products.ts";
import {
  cutReplication,
  openReplicated,
  type PostgresServer,
} from "../support/streaming-replica.ts";
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
    ...crawlOf(upstream, 6),
    STOREFRONT_DAILY_LIMIT: String(limit),
  };
}, 120_000);
afterEach(async () => {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const calls = () => upstream.control.calls.all().length;

async function start(more: Record<string, string>): Promise<{ process: TestProcess; url: string }> {
  const process = spawnKurabe(["start"], { env: { ...env, ...more } });
  return { process, url: await process.serves() };
}

async function promoted(...args: string[]): Promise<void> {
  const command = spawnKurabe(["promoted", ...args], {
    env: { ...env, DATABASE_URL: replica.url },
  });
  expect([await command.ended, command.stderr()]).toEqual([0, ""]);
}

const lostId = 900_000_001;
const add = ({ db }: PostgresServer, itemId: number) =>
  storeItems(db, systemClock.now().toISOString(), [searchItem(itemId)]);

/** Reads changes until none is left, and begins anew where told so (infra/changes.md); whether it was. */
async function follow(url: string, copy: Copy): Promise<boolean> {
  let begunAnew = false;
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    if (response.status !== 410) return response;
    begunAnew = true;
    Object.assign(copy, emptyCopy());
    return fetch(`${url}/v1/changes?limit=100`);
  };
  while ((await followOnce({ copy, get, step() {}, limit: 100 })) === 0);
  return begunAnew;
}

/** The ids and prices of what lives. */
async function pricesIn({ db }: PostgresServer): Promise<[number, number][]> {
  const rows = await db.execute<{ item_id: number; price: number }>(
    sql`select item_id, price from product where state <> 'gone' order by item_id`,
  );
  return rows.map((row) => [row.item_id, row.price]);
}

function pricesOf({ products }: Copy): [number, number][] {
  return [...products]
    .map(([id, { price }]): [number, number] => [id, Number(price)])
    .toSorted(([a], [b]) => a - b);
}

/** Calls were made that the replica did not receive, and the primary is gone for good. */
async function losePrimary(): Promise<{ copy: Copy; made: number; known: number }> {
  const { process, url } = await start({
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: replica.url,
  });
  await until(() => calls() >= 15, { what: "the first calls" });
  await cutReplication(replica.db);
  const before = calls();
  await until(() => calls() >= before + 25, {
    what: "calls that the replica lacks",
  });
  await add(primary, lostId);
  const copy = emptyCopy();
  // The crawl may find soon that the product is not upstream; its changes are lost too.
  const readsPrimary = async () => {
    const status = await (await fetch(`${url}/v1/status`)).json();
    return (status as { freshness: { read_from: string } }).freshness.read_from === "primary";
  };
  await until(readsPrimary, { what: "changes to be read that the replica lacks" });
  await follow(url, copy);
  process.kill("SIGKILL");
  await process.ended;
  await primary.kill();
  await replica.db.execute(sql`select pg_promote()`);
  const [row] = await replica.db.execute<{ used: number }>(sql`
    select coalesce(sum(used), 0)::int as used from budget_day`);
  return { copy, made: calls(), known: must(row, "the budget").used };
}

describe("a primary that is lost", () => {
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

  it("is replaced by its replica: no call beyond the limit, readers begin anew, and the mirror is proven", async () => {
    const { copy, made, known } = await losePrimary();
    // The control: without knowing of these calls the promoted one would make them again.
    expect(known).toBeLessThan(made);
    await promoted("--calls-today", String(made));
    // Takes the place in the order that the lost product had, or one near it.
    await add(replica, lostId + 1);
    const { url } = await start({ DATABASE_URL: replica.url });
    await until(() => calls() > made + 10, { what: "the crawl to go on" });
    const used = async () => {
      const status = await (await fetch(`${url}/v1/status`)).json();
      return (status as { budget: { used: number } }).budget.used;
    };
    // What is kept for refreshes on demand stays unspent.
    await until(async () => (await used()) >= limit * 0.8, { what: "the day to be spent" });
    expect(calls()).toBeLessThanOrEqual(limit);
    let begunAnew = false;
    await until(
      async () => {
        begunAnew = (await follow(url, copy)) || begunAnew;
        return JSON.stringify(pricesOf(copy)) === JSON.stringify(await pricesIn(replica));
      },
      { what: "the follower's copy to equal the catalogue" },
    );
    expect(begunAnew).toBe(true);
    expect(copy.products.has(lostId)).toBe(false);
    expect(copy.products.size).toBeGreaterThan(50);
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
});
