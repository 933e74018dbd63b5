import { readFile, stat } from "node:fs/promises";
import { afterEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ensureJobs, updateJob } from "../../src/crawl/budget/jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/server.ts";
import { createDataDir, type DataDir } from "../support/data-dir.ts";
import { crawlOf, kurabeEnv } from "../support/kurabe-env.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

afterEach(killStarted);

async function dataDir(): Promise<DataDir> {
  const dir = await createDataDir();
  onTestFinished(dir.remove);
  return dir;
}

async function sandbox(
  options: Partial<Parameters<typeof startSandbox>[0]> = {},
): Promise<RunningSandbox> {
  const running = await startSandbox({
    clock: systemClock,
    live: false,
    products: 200,
    ...options,
  });
  onTestFinished(running.close);
  return running;
}

const announcement = z.object({
  msg: z.literal("kurabe is running"),
  url: z.string(),
  opsTokenPath: z.string(),
});

async function announced(kurabe: TestProcess): Promise<z.infer<typeof announcement>> {
  const output = await kurabe.says("kurabe is running");
  const line = output.split("\n").find((text) => text.includes("kurabe is running"));
  return announcement.parse(JSON.parse(must(line, "the announcement")));
}

async function search(
  url: string,
  query: Record<string, string>,
): Promise<{ found: number; items: { item_id: number }[] }> {
  const answer = await fetch(`${url}/v1/products?${new URLSearchParams(query).toString()}`);
  expect(answer.status).toBe(200);
  return z
    .object({ found: z.number(), items: z.array(z.object({ item_id: z.number() })) })
    .parse(await answer.json());
}

/** What answered each of several first searches, which also filter, order and count. */
async function firstEngines(url: string): Promise<string[]> {
  const engines: string[] = [];
  for (const query of ["q=財布", "q=革&in_stock=true&sort=price:asc", "facets=price,category"]) {
    const answer = await fetch(`${url}/v1/products?${query}`);
    const { engine, degraded } = (await answer.json()) as { engine: string; degraded: boolean };
    engines.push(degraded ? "degraded" : engine);
  }
  return engines;
}
const byTheEngine = ["meilisearch", "meilisearch", "meilisearch"];

describe("kurabe start", () => {
  it("needs nothing installed: answers from the engine at once, finds, stops without a trace, and goes on where it ended", async () => {
    const dir = await dataDir();
    const env = { DATA_DIR: dir.path, PORT: "0" };
    const first = spawnKurabe(["start"], { env });
    const { url, opsTokenPath } = await announced(first);
    expect(await firstEngines(url)).toEqual(byTheEngine);
    await until(async () => (await search(url, { q: "財布" })).found > 0, {
      what: "the first products to be searchable",
    });
    expect((await stat(opsTokenPath)).mode & 0o777).toBe(0o600);
    const status = async (at: string) =>
      z
        .object({ products: z.number(), budget: z.object({ used: z.number() }) })
        .parse(await (await fetch(`${at}/v1/status`)).json());
    const most = inject("long") ? 2900 : 1;
    await until(async () => (await status(url)).products > most, { what: "much of the sandbox" });
    const before = await status(url);
    const askedAt = performance.now();
    first.kill("SIGINT");
    expect(await first.ended).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(10_000);
    expect([...dir.postmasters(), ...dir.engines()]).toEqual([]);
    // `embedded/open.test.ts` shows that the servers keep their data.
    if (!inject("long")) return;

    const second = spawnKurabe(["start"], { env });
    const again = await announced(second);
    expect(await firstEngines(again.url)).toEqual(byTheEngine);
    const after = await status(again.url);
    expect(after.products).toBeGreaterThanOrEqual(before.products);
    expect(after.budget.used).toBeGreaterThanOrEqual(before.budget.used);
    second.kill("SIGTERM");
    expect(await second.ended).toBe(0);
  });

  itLong("P1: after a kill -9 the next start takes over the servers left behind", async () => {
    const dir = await dataDir();
    const env = { DATA_DIR: dir.path, PORT: "0" };
    const first = spawnKurabe(["start"], { env });
    await announced(first);
    const pids = () => [...dir.postmasters(), ...dir.engines()].map((running) => running.pid);
    const left = pids();
    expect(left).toHaveLength(2);
    first.kill("SIGKILL");
    await first.ended;
    const second = spawnKurabe(["start"], { env });
    await announced(second);
    expect(pids()).toEqual(left);
    second.kill("SIGINT");
    expect(await second.ended).toBe(0);
    expect(pids()).toEqual([]);
  });

  it("refuses unusable settings together, in one message, with exit code 2", async () => {
    const kurabe = spawnKurabe(["start"], {
      env: {
        STOREFRONT_BASE_URL: "http://example.com",
        STOREFRONT_DAILY_LIMIT: "lots",
        OPS_TOKEN: "short",
        DATA_DIR: (await dataDir()).path,
      },
    });
    expect(await kurabe.ended).toBe(2);
    expect(kurabe.stderr()).toContain("STOREFRONT_BASE_URL must be https");
    expect(kurabe.stderr()).toContain("STOREFRONT_DAILY_LIMIT must be a whole number");
    expect(kurabe.stderr()).toContain("OPS_TOKEN must have at least 32 characters");
  });

  it("names the commands there are when it is given another, with exit code 2", async () => {
    const kurabe = spawnKurabe(["strat"]);
    expect(await kurabe.ended).toBe(2);
    expect(kurabe.stderr()).toMatch(/unknown command "strat"[\s\S]*start[\s\S]*doctor/);
  });

  itLong("a deleted product leaves the search soon after the refresh that proves it", async () => {
    const upstream = await sandbox();
    const kurabe = spawnKurabe(["start"], {
      env: {
        DATA_DIR: (await dataDir()).path,
        PORT: "0",
        ...crawlOf(upstream, 200),
      },
    });
    const { url, opsTokenPath } = await announced(kurabe);
    const found = () => search(url, { q: "革財布", per_page: "100" });
    const [first] = (
      await until(
        async () => {
          const answer = await found();
          return answer.found > 0 && answer;
        },
        { what: "a wallet to be found" },
      )
    ).items;
    const wallet = must(first, "a wallet").item_id;
    upstream.control.remove(wallet);
    const token = (await readFile(opsTokenPath, "utf8")).trim();
    await until(
      async () => {
        const answer = await fetch(`${url}/ops/v1/jobs/revalidate/run`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
        });
        return answer.ok;
      },
      { what: "revalidation to start" },
    );
    const statusOf = async () => (await fetch(`${url}/v1/products/${wallet}`)).status;
    await until(async () => (await statusOf()) === 410, {
      what: "the wallet to be gone",
    });
    expect((await found()).items.map((item) => item.item_id)).not.toContain(wallet);
  });
});

itLong(
  "P1, P2: four workers never make one call more than the limit, while they are killed and replaced",
  async () => {
    const limit = 40;
    const upstream = await sandbox({ products: 2000 });
    const test = await createTestDb();
    onTestFinished(test.close);
    await ensureJobs(test.db, systemClock.now());
    // A share kept for users, as large as what is left of the day, would stay unspent.
    const spendsAll = { settings: { on_demand_share: 0 } };
    await updateJob(test.db, "revalidate", spendsAll, systemClock.now());
    const env = {
      ...(await kurabeEnv(test.url)),
      ...crawlOf(upstream, 20),
      STOREFRONT_DAILY_LIMIT: String(limit),
    };
    const calls = () => upstream.control.calls.all();
    const start = () => spawnKurabe(["worker"], { env });
    let workers = [start(), start(), start(), start()];
    for (const reached of [5, 20]) {
      await until(() => calls().length >= reached, { what: `${reached} calls` });
      // Whoever crawls now is among them: the lease changes hands.
      for (const worker of workers) worker.kill("SIGKILL");
      await Promise.all(workers.map((worker) => worker.ended));
      workers = [start(), start(), start(), start()];
    }
    const used = async () => {
      const [row] = await test.db.execute<{ used: number }>(
        "select max(used) as used from budget_day",
      );
      return row?.used;
    };
    await until(async () => (await used()) === limit, {
      what: "the budget to be spent",
    });
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map((worker) => worker.ended));
    expect(calls().length).toBeLessThanOrEqual(limit);
    const shopOf = new Map(upstream.control.items().map((item) => [item.item_id, item.shop_id]));
    for (const { asked, params } of calls()) {
      expect(asked.length).toBeLessThanOrEqual(50);
      expect(asked.every((id) => shopOf.get(id) === params.shop_id)).toBe(true);
    }
  },
);
