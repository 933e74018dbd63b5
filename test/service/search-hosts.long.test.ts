import { afterEach, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createDataDir } from "../support/data-dir.ts";
import { crawlOf } from "../support/kurabe-env.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { apiKey, startSearchHost } from "../support/search-hosts.ts";
import { until } from "../support/until.ts";

const token = "a-token-of-the-tests-with-more-than-32-characters";
afterEach(killStarted);

const pageSchema = z.object({
  found: z.number(),
  engine: z.string(),
  degraded: z.boolean(),
  items: z.array(z.object({ item_id: z.number() })),
});
const placementSchema = z.object({
  copies: z.number(),
  unsearchable_buckets: z.number(),
  moving_buckets: z.number(),
  hosts: z.array(
    z.object({ host: z.string(), up: z.boolean(), buckets: z.object({ serving: z.number() }) }),
  ),
});

let asked = 0;
/** Anew each time, never from memory. */
async function search(url: string) {
  const price = 9_000_000 + (asked += 1);
  const answer = await fetch(`${url}/v1/products?sort=price:asc&price_max=${price}&per_page=50`);
  expect(answer.status).toBe(200);
  return pageSchema.parse(await answer.json());
}

async function readOps(url: string, path: string): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
}

it("grows from one search host to two and shrinks again, answering from the engine meanwhile", async () => {
  const test = await createTestDb();
  onTestFinished(test.close);
  const dir = await createDataDir();
  onTestFinished(dir.remove);
  const upstream = await startSandbox({ clock: systemClock, live: false, products: 200 });
  onTestFinished(upstream.close);
  const hosts = [await startSearchHost(), await startSearchHost()];
  for (const host of hosts) onTestFinished(host.kill);
  const [one, other] = hosts.map((host) => host.url);
  let kurabe: TestProcess | null = null;

  async function start(over: Record<string, string>): Promise<string> {
    if (kurabe) {
      kurabe.kill("SIGTERM");
      expect(await kurabe.ended).toBe(0);
    }
    kurabe = spawnKurabe(["start"], {
      env: {
        DATABASE_URL: test.url,
        MEILI_API_KEY: apiKey,
        DATA_DIR: dir.path,
        PORT: "0",
        OPS_TOKEN: token,
        ...crawlOf(upstream, 30),
        ...over,
      },
    });
    return kurabe.serves();
  }

  let url = await start({ MEILI_HOST: must(one, "a host") });
  await until(async () => (await search(url)).found >= 150, { what: "products" });
  const alone = await (await readOps(url, "/ops/v1/placement")).json();
  expect(alone).toMatchObject({ copies: 1, hosts: [] });

  url = await start({ MEILI_HOST: `${one},${other}`, SEARCH_COPIES: "2" });
  const otherwise: object[] = [];
  await until(
    async () => {
      const { engine, degraded, found } = await search(url);
      if (engine !== "meilisearch" || degraded || found < 150)
        otherwise.push({ engine, degraded, found });
      const placement = placementSchema.parse(
        await (await readOps(url, "/ops/v1/placement")).json(),
      );
      return (
        placement.moving_buckets === 0 &&
        placement.unsearchable_buckets === 0 &&
        placement.hosts.length === 2 &&
        placement.hosts.every((host) => host.up && host.buckets.serving === 1024)
      );
    },
    { what: "both hosts to have all buckets" },
  );
  expect(otherwise).toEqual([]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain(`kurabe_search_host_up{host="${one}"} 1`);
  await hosts[0]?.kill();
  // Postgres answers until the loss is noticed, if the other host is late as well.
  await until(async () => !(await search(url)).degraded, { what: "the copies to answer alone" });
  await hosts[0]?.restart();

  url = await start({ MEILI_HOST: must(other, "a host") });
  await until(
    async () => {
      const { engine, found } = await search(url);
      return engine === "meilisearch" && found >= 150;
    },
    { what: "one host to have all products" },
  );
  await until(async () => (await test.db.execute("select from search_host")).length === 0, {
    what: "the hosts to be forgotten",
  });
});
