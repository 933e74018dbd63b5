import { afterEach, expect, inject, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { onceStarted } from "../support/once-started.ts";
import { killStarted } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { startWholeKurabe } from "../support/whole-kurabe.ts";

afterEach(killStarted);

/** On SIGUSR2 the process collects its garbage and says how much is left; on SIGWINCH it begins the naive way: something remembers every request. */
const tellsItsHeap = `
  const load = (name) => process.getBuiltinModule(name);
  load("node:v8").setFlagsFromString("--expose-gc");
  const collect = load("node:vm").runInNewContext("gc");
  process.on("SIGUSR2", () => {
    collect();
    process.stderr.write("heap " + process.memoryUsage().heapUsed + "\\n");
  });
  const { Server } = load("node:http");
  const { emit } = Server.prototype;
  const kept = [];
  process.on("SIGWINCH", () => {
    Server.prototype.emit = function (name, ...rest) {
      if (name === "request") kept.push([rest[0], new Array(2000).fill(0.5)]);
      return emit.call(this, name, ...rest);
    };
  })`;

const isLong = inject("long");
const VISITS = isLong ? 1500 : 100;

/**
 * MiB that the heap of a whole Kurabe at work grows by in `VISITS` visits, after twice as many to warm
 * up; and by as many again once it remembers every request. No address is asked for twice, so that
 * whatever is kept of each adds up.
 */
async function growthOf(cacheMb: string): Promise<{ grown: number; leaking: number }> {
  const upstream = await startSandbox({
    clock: systemClock,
    live: true,
    products: 60,
    speed: 3600,
  });
  onTestFinished(upstream.close);
  const { kurabe, url } = await startWholeKurabe(upstream, {
    ...onceStarted(tellsItsHeap),
    STOREFRONT_MAX_CALLS_PER_SECOND: isLong ? "20" : "5",
    CACHE_MAX_MB: cacheMb,
  });

  let visit = 0;
  async function visits(): Promise<void> {
    const last = visit + VISITS;
    const visitor = async () => {
      while (visit < last) {
        visit += 1;
        const n = visit;
        const paths = [
          `/v1/products/${n}`,
          `/nowhere/${n}`,
          `/v1/products?price_max=${1_000_000 + n}`,
          `/v1/suggest?q=${n}`,
          `/?q=w${n}`,
        ];
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
    await until(() => heaps().length > told, { what: "the heap's size" });
    return must(heaps().at(-1), "a size") / 1024 / 1024;
  }
  for (let i = 0; i < 2; i += 1) await visits();
  const before = await heapMiB();
  await visits();
  const after = await heapMiB();
  kurabe.kill("SIGWINCH");
  await visits();
  return { grown: after - before, leaking: (await heapMiB()) - after };
}

it("P6, B22: what is asked for leaves nothing behind in the memory of a process at work", async () => {
  // The controls: the naive way, and a memory of answers that has no bound to meet.
  const { grown, leaking } = await growthOf("1");
  expect(grown).toBeLessThan(leaking / 2);
  if (isLong) expect(grown).toBeLessThan((await growthOf("4096")).grown / 2);
});
