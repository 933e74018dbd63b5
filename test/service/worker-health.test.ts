import { afterEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createDataDir } from "../support/data-dir.ts";
import { openFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";
import { freePort } from "../support/free-port.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

afterEach(killStarted);

type Wire = "database" | "engine" | "upstream";

interface Worker {
  process: TestProcess;
  wires: Record<Wire, FaultProxy>;
  get(path: string): Promise<{ status: number; body: string }>;
  /** Seconds since the latest turn of each loop. */
  ages(): Promise<Map<string, number>>;
}

/** `kurabe worker` with a health port, whose wires all lead through proxies. */
async function startWorker(env: Record<string, string> = {}): Promise<Worker> {
  const test = await createTestDb();
  onTestFinished(test.close);
  const dir = await createDataDir();
  onTestFinished(dir.remove);
  const upstream = await startSandbox({ clock: systemClock, live: false, products: 200 });
  onTestFinished(upstream.close);
  const meili = inject("meili");
  const open = async (target: string) => {
    const url = new URL(target);
    const proxy = await openFaultProxy({ host: url.hostname, port: Number(url.port) });
    onTestFinished(proxy.close);
    url.port = String(proxy.port);
    return { proxy, href: url.href };
  };
  const database = await open(test.url);
  const engine = await open(meili.host);
  const storefront = await open(upstream.url);
  const port = await freePort();
  const process = spawnKurabe(["worker"], {
    env: {
      DATA_DIR: dir.path,
      DATABASE_URL: database.href,
      MEILI_HOST: engine.href,
      MEILI_API_KEY: meili.apiKey,
      STOREFRONT_BASE_URL: storefront.href,
      STOREFRONT_MAX_CALLS_PER_SECOND: inject("long") ? "5" : "1",
      CRAWL_KEYWORDS: upstream.keywords.join(","),
      CRAWL_PACING: "burst",
      HEALTH_PORT: String(port),
      ...env,
    },
  });
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, body: await answer.text() };
  };
  return {
    process,
    wires: { database: database.proxy, engine: engine.proxy, upstream: storefront.proxy },
    get,
    async ages() {
      const { body } = await get("/metrics");
      const lines = body.matchAll(/^kurabe_loop_turn_age_seconds\{loop="([^"]+)"\} (\S+)$/gm);
      return new Map([...lines].map(([, name = "", seconds]) => [name, Number(seconds)]));
    },
  };
}

const becomes = (worker: Worker, path: string, status: number) =>
  until(async () => (await worker.get(path)).status === status, { what: `${path}: ${status}` });

describe("the health of a worker", () => {
  itLong(
    "lives from its start, is ready when it reaches the database, and not while that is gone",
    async () => {
      const worker = await startWorker();
      await worker.wires.database.set({ mode: "refuse" });
      await becomes(worker, "/healthz", 200);
      expect((await worker.get("/readyz")).status).toBe(503);
      await worker.wires.database.set({ mode: "pass" });
      await becomes(worker, "/readyz", 200);
      await until(async () => (await worker.ages()).size > 10, { what: "its loops to turn" });
      expect([...(await worker.ages()).keys()]).toEqual(
        expect.arrayContaining([
          "crawl",
          "mirror",
          "housekeeping",
          "alerts",
          "webhooks",
          "schedule",
        ]),
      );
      await worker.wires.database.set({ mode: "refuse" });
      await becomes(worker, "/readyz", 503);
      expect((await worker.get("/healthz")).status).toBe(200);
      await worker.wires.database.set({ mode: "pass" });
      await becomes(worker, "/readyz", 200);
      worker.process.kill("SIGTERM");
      expect(await worker.process.ended).toBe(0);
    },
  );

  itLong(
    "does not keep it from stopping while the database is silent",
    async () => {
      const worker = await startWorker();
      await worker.process.says("kurabe is running");
      await until(async () => (await worker.ages()).size > 10, { what: "its loops to turn" });
      await worker.wires.database.set({ mode: "hang" });
      worker.process.kill("SIGTERM");
      // Less than what the examples under infra/ give it.
      const late = systemClock.sleep(40_000).then(() => "late");
      expect(await Promise.race([worker.process.ended, late])).toBe(0);
    },
    60_000,
  );

  itLong(
    "stays good while upstream and engine are silent, or the database is gone, for as long as we look",
    async () => {
      const seconds = inject("long") ? 180 : 6;
      // The longest time limit of a step is that of a call, 30 s. A loop that hangs would pass this.
      const longestAge = 50;
      const [served, unserved] = [await startWorker(), await startWorker()];
      for (const worker of [served, unserved]) {
        await worker.process.says("kurabe is running");
        await becomes(worker, "/readyz", 200);
      }
      await served.wires.upstream.set({ mode: "hang" });
      await served.wires.engine.set({ mode: "hang" });
      await unserved.wires.database.set({ mode: "refuse" });
      const endMs = performance.now() + seconds * 1000;
      const seen = { alive: new Set<number>(), ready: new Set<number>(), age: 0 };
      const look = async () => {
        for (const worker of [served, unserved]) {
          seen.alive.add((await worker.get("/healthz")).status);
          seen.age = Math.max(seen.age, ...(await worker.ages()).values());
        }
        seen.ready.add((await served.get("/readyz")).status);
        return performance.now() > endMs;
      };
      await until(look, { what: "the time to pass", timeoutMs: seconds * 2000 });
      expect([...seen.alive]).toEqual([200]);
      expect([...seen.ready]).toEqual([200]);
      expect(seen.age).toBeLessThan(longestAge);
      expect((await unserved.get("/readyz")).status).toBe(503);
    },
  );

  it("is bad while a loop hangs beyond its bound, and names it", async () => {
    // Requests to the engine never end, whatever their time limit; eleven minutes pass when the signal comes.
    const code = `const { fetch } = globalThis;
      globalThis.fetch = (url, ...rest) =>
        String(url.url ?? url).startsWith(process.env.MEILI_HOST.slice(0, -1)) ? new Promise(() => {}) : fetch(url, ...rest);
      const now = performance.now.bind(performance);
      let later = 0;
      performance.now = () => now() + later;
      process.on("SIGUSR2", () => { later = 660_000; });`;
    const worker = await startWorker({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
    });
    await worker.process.says("kurabe is running");
    await until(async () => ((await worker.ages()).get("mirror") ?? 0) > 3, { what: "a hang" });
    expect((await worker.get("/healthz")).status).toBe(200);
    worker.process.kill("SIGUSR2");
    const names = async () => {
      const { body } = await worker.get("/healthz");
      return body.includes('hang: mirror"') || Promise.reject(new Error(body));
    };
    await until(names, { what: "the hanging loop alone to be named" });
    expect((await worker.get("/healthz")).status).toBe(503);
    expect((await worker.get("/readyz")).status).toBe(200);
  });
});
