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
const VISITS = isLong ? 600 : 160;

/**
 * MiB that the heap of a whole Kurabe at work grows by in `VISITS` visits, after as many to warm up; and by as many again
 * once it remembers every request. No address is asked for twice, so that whatever is kept of each adds up. The least
 * growth of three times as many visits counts: what is kept of each visit shows every time, and what is loaded or
 * compiled once shows only once.
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
  /** The least of several, because an answer of a call or a batch of the mirror may be at work at any moment. */
  async function heapMiB(): Promise<number> {
    const told = heaps().length;
    for (let n = 1; n <= (isLong ? 5 : 3); n += 1) {
      kurabe.kill("SIGUSR2");
      await until(() => heaps().length >= told + n, { what: "the heap's size" });
    }
    return Math.min(...heaps().slice(told)) / 1024 / 1024;
  }
  await visits();
  let before = await heapMiB();
  async function growth(): Promise<number> {
    await visits();
    const grown = (await heapMiB()) - before;
    before += grown;
    return grown;
  }
  const growths = [await growth(), await growth(), await growth()];
  kurabe.kill("SIGWINCH");
  return { grown: Math.min(...growths), leaking: await growth() };
}

it("P6, B22: what is asked for leaves nothing behind in the memory of a process at work", async () => {
  // The controls: the naive way, and a memory of answers that has no bound to meet.
  const { grown, leaking } = await growthOf("1");
  expect(grown).toBeLessThan(leaking / 2);
  if (isLong) expect(grown).toBeLessThan((await growthOf("4096")).grown / 2);
});
