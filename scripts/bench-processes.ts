/**
 * How long `kurabe api` and `kurabe worker` take to be ready on the databases that `kurabe bench scale --keep`
 * left, and the most memory that each holds while the worker crawls and fills an empty search engine and
 * the API answers `--connections` visitors.
 *
 *   npm run build && npx tsx scripts/bench-processes.ts --folder FOLDER --products 10000000 [--minutes 5] [--connections 4]
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { systemClock as clock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { startSandbox } from "../src/sandbox/server.ts";
import { readArguments, needed } from "./support/arguments.ts";
import { watchMemory } from "./support/resident-memory.ts";
import { print, withScaleDatabase, withServers, type ScratchServers } from "./support/servers.ts";

const args = readArguments({ folder: needed, products: 1_000_000, minutes: 5, connections: 4 });
const { products } = args;
/** Mebibytes of heap: what Node takes in a container of 640 MiB, the limit of `infra/kubernetes`. */
const heapMiB = 320;

/** Starts `kurabe <name>` as built, waits until it is ready, and watches its memory until it is stopped. */
async function start(name: string, port: number, env: Record<string, string>) {
  const began = clock.monotonicMs();
  const child = spawn(process.execPath, ["dist/main.js", name], {
    env: {
      ...process.env,
      NODE_OPTIONS: `--max-old-space-size=${heapMiB}`,
      LOG_LEVEL: "fatal",
      ...env,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = `http://127.0.0.1:${port}`;
  const most = watchMemory(must(child.pid, "a process"));
  while (!(await isReady(url))) await clock.sleep(25);
  const readyMs = Math.round(clock.monotonicMs() - began);
  return {
    url,
    /** Ends it, and tells what was measured. */
    async stop() {
      child.kill("SIGTERM");
      await ended;
      return { role: name, ready_s: readyMs / 1000, max_rss_mib: Math.round(await most()) };
    },
  };
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Visitors who ask one request after another until the time is over; how many of each answer. */
async function visit(url: string, untilMs: number): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const visitors = args.connections;
  const visitor = async (first: number) => {
    for (let n = first; clock.monotonicMs() < untilMs; n += visitors) {
      const id = 1 + ((n * 7919) % products);
      const paths = [
        `/v1/products/${id}`,
        `/?q=${encodeURIComponent("革財布")}&price_max=${id}`,
        `/products/${id}`,
        `/v1/products?q=bag&price_max=${id}`,
        `/v1/suggest?q=${n % 1000}`,
        "/v1/price-drops?sort=biggest",
        `/shops?page=${1 + (n % 20)}`,
      ];
      const path = must(paths[n % paths.length], "a path");
      const answer = await fetch(`${url}${path}`);
      const body = await answer.text();
      const route = new URL(path, url).pathname.replace(/[0-9]+$/, "N");
      const kind = answer.ok ? "ok" : `${answer.status} ${route}`;
      if (answer.status >= 500) process.stderr.write(`${route}: ${body.slice(0, 200)}\n`);
      answers[kind] = (answers[kind] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: visitors }, (_, i) => visitor(i)));
  return answers;
}

const sandbox = await startSandbox({ clock, products: 2000 });
try {
  await withScaleDatabase(args.folder, products, (databaseUrl) =>
    withServers((servers) => measure({ ...servers, databaseUrl })),
  );
} finally {
  await sandbox.close();
}

async function measure({ databaseUrl, meili, dir }: ScratchServers): Promise<void> {
  const env = {
    DATABASE_URL: databaseUrl,
    MEILI_HOST: meili.host,
    MEILI_API_KEY: meili.apiKey,
    DATA_DIR: join(dir, "kurabe"),
    STOREFRONT_BASE_URL: sandbox.url,
    STOREFRONT_CLIENT_ID: sandbox.credentials.clientId,
    STOREFRONT_CLIENT_SECRET: sandbox.credentials.clientSecret,
    CRAWL_KEYWORDS: sandbox.keywords.slice(0, 20).join(","),
  };
  const api = await start("api", 3998, { ...env, PORT: "3998" });
  const worker = await start("worker", 3999, { ...env, HEALTH_PORT: "3999" });
  const untilMs = clock.monotonicMs() + args.minutes * 60_000;
  const answers = await visit(api.url, untilMs);
  for (const { stop } of [worker, api]) print({ products, ...(await stop()) });
  print({ requests: answers });
}
