import { sql } from "drizzle-orm";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createDataDir } from "../support/data-dir.ts";
import { crawlOf } from "../support/kurabe-env.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { apiKey, startSearchHost } from "../support/search-hosts.ts";
import { until } from "../support/until.ts";

afterEach(killStarted);

/** How long the leases of the crawl and of the mirror last: "A worker is lost" in infra/operations.md. */
const leaseMs = { crawl: 6000, mirror: 15_000 };
/** Until a waiting worker asks again, and for a busy machine. */
const patienceMs = 6000;

it("P1: the leading one of three workers is killed and stays away: the others lead within its leases, at the usual pace", async () => {
  const upstream = await startSandbox({ clock: systemClock, live: false, products: 2000 });
  onTestFinished(upstream.close);
  const test = await createTestDb();
  onTestFinished(test.close);
  const dir = await createDataDir();
  onTestFinished(dir.remove);
  const engine = await startSearchHost();
  onTestFinished(engine.kill);
  const start = async (name: string) => {
    const worker = spawnKurabe(["worker"], {
      env: {
        DATA_DIR: `${dir.path}/${name}`,
        DATABASE_URL: test.url,
        MEILI_HOST: engine.url,
        MEILI_API_KEY: apiKey,
        ...crawlOf(upstream, 4),
      },
    });
    await worker.says("kurabe is running");
    return worker;
  };
  const calls = () => upstream.control.calls.all().length;
  const holderOf = async (lease: "crawl" | "mirror") => {
    const [row] = await test.db.execute<{ holder: string }>(
      sql`select holder from lease where name like ${`${lease}%`} and expires_at > now()`,
    );
    return row?.holder ?? null;
  };
  /** How long the next calls take, in milliseconds. */
  const timeCalls = async (count: number) => {
    const [from, beganMs] = [calls(), performance.now()];
    await until(() => calls() >= from + count, { what: `${count} calls`, timeoutMs: 60_000 });
    return performance.now() - beganMs;
  };

  // While it is alone it takes every lease.
  const leader = await start("one");
  const crawling = must(await until(() => holderOf("crawl"), { what: "a leader" }), "a leader");
  const mirroring = must(await until(() => holderOf("mirror"), { what: "a mirror" }), "a mirror");
  await Promise.all([start("two"), start("three")]);
  const usualMs = await timeCalls(20);
  expect([await holderOf("crawl"), await holderOf("mirror")]).toEqual([crawling, mirroring]);

  leader.kill("SIGKILL");
  await leader.ended;
  const lostMs = performance.now();
  const moved = async (lease: "crawl" | "mirror", former: string) => {
    await until(async () => ![null, former].includes(await holderOf(lease)), {
      what: `another worker to take the lease of the ${lease}`,
      timeoutMs: leaseMs[lease] + patienceMs,
    });
  };
  await Promise.all([moved("crawl", crawling), moved("mirror", mirroring), timeCalls(2)]);
  expect(performance.now() - lostMs).toBeLessThan(leaseMs.mirror + patienceMs);
  expect(await timeCalls(20)).toBeLessThan(1.5 * usualMs);
  const [changed] = await test.db.execute<{ item_id: number; ver: number }>(sql`
    update product set price = price + 1, ver = ver + 1
    where item_id = (select min(item_id) from product where state <> 'gone') returning item_id, ver`);
  const isMirrored = async () => {
    const rows = await test.db.execute(sql`
      select from mirror where item_id = ${changed?.item_id} and indexed_version >= ${changed?.ver}`);
    return rows.length > 0;
  };
  await until(isMirrored, { what: "the mirror to follow again" });
});
