import { afterEach, expect, inject, it } from "vitest";
import { systemClock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { startSandbox } from "../src/sandbox/server.ts";
import { createDataDir } from "./support/data-dir.ts";
import { onceStarted } from "./support/once-started.ts";
import { createTestDb } from "./support/postgres.ts";
import { killStarted, spawnKurabe } from "./support/processes.ts";
import { until } from "./support/until.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** On SIGUSR2 the process collects its garbage and says how much is left. */
const tellsItsHeap = `
  const load = (name) => process.getBuiltinModule(name);
  load("node:v8").setFlagsFromString("--expose-gc");
  const collect = load("node:vm").runInNewContext("gc");
  process.on("SIGUSR2", () => {
    collect();
    process.stderr.write("heap " + process.memoryUsage().heapUsed + "\\n");
  })`;
/** The naive way: something remembers every request. */
const remembersRequests = `
  const { Server } = load("node:http");
  const { emit } = Server.prototype;
  const kept = [];
  Server.prototype.emit = function (name, ...rest) {
    if (name === "request") kept.push(rest[0]);
    return emit.call(this, name, ...rest);
  }`;

const VISITS = 2500;

/** MiB that the heap of a whole Kurabe at work grows by in `VISITS` visits, after twice as many to warm up. */
async function growthOf(code: string): Promise<number> {
  const test = await createTestDb();
  cleanups.push(test.close);
  const dir = await createDataDir();
  cleanups.push(dir.remove);
  const upstream = await startSandbox({
    clock: systemClock,
    live: true,
    products: 60,
    speed: 3600,
  });
  cleanups.push(upstream.close);
  const meili = inject("meili");
  const kurabe = spawnKurabe(["start"], {
    env: {
      ...onceStarted(code),
      DATABASE_URL: test.url,
      MEILI_HOST: meili.host,
      MEILI_API_KEY: meili.apiKey,
      DATA_DIR: dir.path,
      PORT: "0",
      STOREFRONT_BASE_URL: upstream.url,
      STOREFRONT_MAX_CALLS_PER_SECOND: "20",
      CRAWL_KEYWORDS: upstream.keywords.join(","),
      CRAWL_PACING: "burst",
    },
  });
  const output = await kurabe.says("kurabe is running", 90_000);
  const url = must(/"url":"(http:[^"]+)"/.exec(output)?.[1], "the address");

  let visit = 0;
  async function visits(): Promise<void> {
    const last = visit + VISITS;
    const visitor = async () => {
      while (visit < last) {
        visit += 1;
        // Nobody asks for the same twice: whatever is remembered by what was asked, grows.
        const paths = [`/v1/products/${visit}`, `/nowhere/${visit}`, `/v1/products?q=w${visit}`];
        const path = must(paths[visit % paths.length], "a path");
        await (await fetch(`${url}${path}`)).arrayBuffer();
      }
    };
    await Promise.all([visitor(), visitor(), visitor(), visitor()]);
  }
  const heaps = () =>
    [...kurabe.stderr().matchAll(/heap (\d+)/g)].map(([, bytes]) => Number(bytes));
  async function heapMiB(): Promise<number> {
    const told = heaps().length;
    kurabe.kill("SIGUSR2");
    await until(() => heaps().length > told, { timeoutMs: 60_000, what: "the heap's size" });
    return must(heaps().at(-1), "a size") / 1024 / 1024;
  }
  for (let i = 0; i < 2; i += 1) await visits();
  const before = await heapMiB();
  await visits();
  return (await heapMiB()) - before;
}

it("P6: what is asked for leaves nothing behind in the memory of a process at work", async () => {
  const leaking = await growthOf(`${tellsItsHeap}; ${remembersRequests}`);
  const grown = await growthOf(tellsItsHeap);

  expect(grown).toBeLessThan(leaking / 2);
}, 400_000);
