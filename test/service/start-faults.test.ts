import { writeFile } from "node:fs/promises";
import { afterEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { createDataDir } from "../support/data-dir.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { openFaultProxy, type FaultProxy, type WireWatcher } from "../support/fault-proxy.ts";
import { freePort } from "../support/free-port.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

afterEach(killStarted);

async function behindProxy(
  watcher?: WireWatcher,
): Promise<{ test: TestDb; proxy: FaultProxy; env: Record<string, string> }> {
  const test = await createTestDb();
  onTestFinished(test.close);
  const url = new URL(test.url);
  const proxy = await openFaultProxy({ host: url.hostname, port: Number(url.port) }, watcher);
  onTestFinished(proxy.close);
  url.port = String(proxy.port);
  return { test, proxy, env: { ...(await kurabeEnv(url.href)), LOG_FORMAT: "json" } };
}

async function refusedOnce(kurabe: TestProcess): Promise<void> {
  await kurabe.says("the database does not answer yet");
}

describe("a start", () => {
  itLong("D1, D6: survives the loss of its connections at every statement on its way", async () => {
    const timesEach = inject("long") ? 2 : 1;
    const statements = ["insert into job_run"];
    if (inject("long")) {
      statements.push("at time zone", "update sandbox.owner set url", 'insert into "job"');
      statements.push("create schema if not exists sandbox", "kurabe:seed");
    }
    const timesBroken = new Map(statements.map((text) => [text, 0]));
    let turn = Promise.resolve();
    const { proxy, env } = await behindProxy({
      toClient: () => true,
      toTarget(chunk) {
        const sent = chunk.toString("latin1");
        for (const [text, times] of timesBroken) {
          if (times >= timesEach || !sent.includes(text)) continue;
          timesBroken.set(text, times + 1);
          turn = turn
            .then(() => proxy.set({ mode: "refuse" }))
            .then(() => proxy.set({ mode: "pass" }));
          return false;
        }
        return true;
      },
    });
    const kurabe = spawnKurabe(["start"], { env: { ...env, PORT: "0" } });
    const url = await kurabe.serves();
    const crawled = async () => {
      const status = await (await fetch(`${url}/v1/status`)).text();
      return /"products":[1-9]/.test(status);
    };
    await until(crawled, { what: "products" });
    expect([...timesBroken.values()]).toEqual(statements.map(() => timesEach));
    kurabe.kill("SIGTERM");
    expect(await kurabe.ended).toBe(0);
  });

  it("D1: answers 503 while the database is away, and serves when it is there", async () => {
    const { proxy, env } = await behindProxy();
    await proxy.set({ mode: "refuse" });
    const port = await freePort();
    const kurabe = spawnKurabe(["api"], { env: { ...env, PORT: String(port) } });
    await refusedOnce(kurabe);
    const ready = () => fetch(`http://127.0.0.1:${port}/readyz`);
    const answer = await ready();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "not_ready" });
    await proxy.set({ mode: "pass" });
    await until(async () => (await ready()).ok, { what: "the API to serve" });
  });

  itLong("D1, P3: that waits for the database is ended by the first signal", async () => {
    const { proxy, env } = await behindProxy();
    await proxy.set({ mode: "refuse" });
    const kurabe = spawnKurabe(["start"], { env: { ...env, PORT: "0" } });
    await refusedOnce(kurabe);
    kurabe.kill("SIGINT");
    expect(await kurabe.ended).toBe(0);
  });

  itLong("D1: gives up where no waiting helps: Postgres does not know the time zone", async () => {
    const { env } = await behindProxy();
    // A name that only Node's ICU still has.
    const zone = { STOREFRONT_TIMEZONE: "US/Pacific-New" };
    const kurabe = spawnKurabe(["worker"], { env: { ...env, ...zone } });
    expect(await kurabe.ended).toBe(1);
    expect(kurabe.stderr()).toContain("not recognized");
  });
});

it("a start says in words that its folder cannot be used", async () => {
  const { DATA_DIR, ...env } = await kurabeEnv("postgres://nobody@127.0.0.1:1/kurabe");
  await writeFile(DATA_DIR, "a file");
  for (const set of inject("long") ? [{}, env] : [{}]) {
    const kurabe = spawnKurabe(["start"], { env: { ...set, DATA_DIR, PORT: "0" } });
    expect(await kurabe.ended).toBe(1);
    expect(kurabe.stderr()).toMatch(
      /cannot be used \(ENOTDIR\): a file is where a folder should be/,
    );
  }
});

itLong(
  "D6, P3: a stop is clean although the database is gone, and ends the servers that are our own",
  async () => {
    const { proxy, env } = await behindProxy();
    const dir = await createDataDir();
    onTestFinished(dir.remove);
    const { MEILI_HOST: _host, MEILI_API_KEY: _key, ...ownEngine } = env;
    const kurabe = spawnKurabe(["start"], {
      env: { ...ownEngine, DATA_DIR: dir.path, PORT: "0" },
    });
    await kurabe.says("kurabe is running");
    expect(dir.engines()).toHaveLength(1);
    await proxy.set({ mode: "refuse" });
    await kurabe.says("ECONNREFUSED");
    kurabe.kill("SIGTERM");
    expect(await kurabe.ended).toBe(0);
    expect(dir.engines()).toEqual([]);
  },
);
