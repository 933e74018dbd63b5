import { sql } from "drizzle-orm";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { authorised, opsToken } from "../support/api.ts";
import { createDataDir } from "../support/data-dir.ts";
import { crawlOf } from "../support/kurabe-env.ts";
import { findPgbouncer, startPgbouncer } from "../support/pgbouncer.ts";
import { createTestDb, openPool } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { apiKey, startSearchHost } from "../support/search-hosts.ts";
import { until } from "../support/until.ts";

afterEach(killStarted);

/** Of the pooler to Postgres: a third of what the pools of one process may open. */
const connections = 8;
const visitors = 8;
const jobs = ["housekeeping", "verify-mirror"];
const paths = [
  "/v1/products?q=革",
  "/v1/status",
  "/v1/shops",
  "/v1/suggest?q=革",
  "/v1/price-drops",
  "/",
  "/ops/v1/calls",
  "/metrics",
];

async function startPooled() {
  const test = await createTestDb();
  onTestFinished(test.close);
  const pooler = await startPgbouncer({
    program: findPgbouncer(),
    databaseUrl: test.url,
    connections,
  });
  onTestFinished(pooler.close);
  return { test, pooler };
}

it("behind pgbouncer in transaction mode, with few connections, a whole Kurabe crawls, answers every visitor and does its jobs", async () => {
  const { test, pooler } = await startPooled();
  const upstream = await startSandbox({ clock: systemClock, live: true, products: 2000 });
  onTestFinished(upstream.close);
  const dir = await createDataDir();
  onTestFinished(dir.remove);
  const engine = await startSearchHost();
  onTestFinished(engine.kill);
  const kurabe = spawnKurabe(["start"], {
    env: {
      DATA_DIR: dir.path,
      DATABASE_URL: test.url,
      DATABASE_POOLER_URL: pooler.url,
      MEILI_HOST: engine.url,
      MEILI_API_KEY: apiKey,
      ...crawlOf(upstream, 20),
      OPS_TOKEN: opsToken,
      PORT: "0",
    },
  });
  const url = await kurabe.serves();

  const count = async (from: ReturnType<typeof sql>) =>
    (await test.db.execute<{ n: number }>(sql`select count(*) as n from ${from}`))[0]?.n ?? 0;
  const answers: Record<string, number> = {};
  let isOver = false;
  const visitor = async (nth: number) => {
    for (let n = nth; !isOver; n += 1) {
      const path = must(paths[n % paths.length], "a path");
      // A connection of its own: one that is kept may end while a request is on its way.
      const headers = { ...(path.startsWith("/ops") ? authorised : {}), Connection: "close" };
      const kind = await fetch(`${url}${path}`, { headers }).then(
        async (answer) => {
          const body = await answer.text();
          return answer.ok ? "ok" : `${answer.status} ${path} ${body}`;
        },
        (error: unknown) => `${String(error)} ${path}`,
      );
      answers[kind] = (answers[kind] ?? 0) + 1;
    }
  };
  const visits = Promise.all(Array.from({ length: visitors }, (_, nth) => visitor(nth)));
  await until(async () => (await count(sql`product`)) >= 1000 && (answers.ok ?? 0) >= 200, {
    what: "1,000 products and 200 answers",
    timeoutMs: 120_000,
  });
  for (const job of jobs) {
    const started = await fetch(`${url}/ops/v1/jobs/${job}/run`, {
      method: "POST",
      headers: authorised,
    });
    expect([job, started.status]).toEqual([job, 202]);
  }
  const runs = () =>
    test.db.execute<{ job: string; error: string | null }>(sql`
      select job, error from job_run where finished_at is not null
        and job in (select json_array_elements_text(${JSON.stringify(jobs)}::text::json)) order by job`);
  await until(async () => (await runs()).length >= jobs.length, {
    what: "the jobs",
    timeoutMs: 120_000,
  });
  isOver = true;
  await visits;
  // Dozens of statements, which beside visitors may take longer than an answer may.
  expect((await fetch(`${url}/ops/v1/plan`, { headers: authorised })).status).toBe(200);
  expect((await runs()).filter(({ error }) => error !== null)).toEqual([]);
  kurabe.kill("SIGTERM");
  expect(await kurabe.ended).toBe(0);

  expect(Object.keys(answers)).toEqual(["ok"]);
  // On a busy machine a task of the upkeep may give way to the crawl and go on the next time.
  const failures = kurabe.stdout().match(/^.*"level":(50|60).*$/gm) ?? [];
  expect(failures.filter((line) => !line.includes("due to lock timeout"))).toEqual([]);
  const [ledger] = await test.db.execute<{ used: number; calls: number }>(sql`
    select (select sum(used) from budget_day)::int as used, (select count(*) from api_call)::int as calls`);
  // A call that the stop found unsent stays counted.
  expect(ledger?.calls).toBeGreaterThanOrEqual(upstream.control.calls.all().length);
  expect(ledger?.used).toBe(ledger?.calls);
});

it("the control: pools that do not know of the pooler cannot be used behind it", async () => {
  const { pooler } = await startPooled();
  const { db, close } = openPool(pooler.url, { maxConnections: 2, statementTimeoutMs: 5000 });
  onTestFinished(close);
  await expect(db.execute(sql`select 1`)).rejects.toThrow();
});
