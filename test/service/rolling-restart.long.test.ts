import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { storeItems } from "../support/catalog.ts";
import { searchItem } from "../support/products.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { freePort } from "../support/free-port.ts";
import { openLoadBalancer } from "../support/load-balancer.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";

afterEach(killStarted);

interface Place {
  url: string;
  process(): TestProcess;
  start(): Promise<void>;
}

/** Two API processes over one database, each on a port of its own. */
async function twoApis(stopDelayS: number): Promise<Place[]> {
  const test = await createTestDb();
  onTestFinished(test.close);
  const items = Array.from({ length: 30 }, (_, i) => searchItem(i + 1));
  await storeItems(test.db, new Date().toISOString(), items);
  const open = async (): Promise<Place> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...(await kurabeEnv(test.url)),
      PORT: String(port),
      STOP_DELAY_S: String(stopDelayS),
      LOG_FORMAT: "json",
    };
    const spawn = () => spawnKurabe(["api"], { env });
    let current = spawn();
    const isReady = async () => (await fetch(`${url}/readyz`)).ok;
    await until(isReady, { what: "an API to be ready" });
    return {
      url,
      process: () => current,
      async start() {
        current = spawn();
        await until(isReady, { what: "an API to be ready again" });
      },
    };
  };
  return [await open(), await open()];
}

const enough = 200;
const paths = ["/v1/products?per_page=20", "/v1/products/1", "/", "/v1/status", "/products/2"];

/** Visitors with kept connections who ask all the time, until `stop`; the result says how many requests failed. */
function visit(
  url: string,
  visitors: number,
): { sent(): number; stop(): Promise<{ sent: number; failed: string[] }> } {
  let isOver = false;
  let sent = 0;
  const failed: string[] = [];
  const ask = async (path: string) => {
    sent += 1;
    try {
      const answer = await fetch(`${url}${path}`);
      const body = await answer.text();
      if (answer.status !== 200) failed.push(`${path}: ${answer.status} ${body.slice(0, 100)}`);
    } catch (error) {
      failed.push(`${path}: ${String(error)}`);
    }
  };
  const running = Array.from({ length: visitors }, async (_, first) => {
    for (let i = first; !isOver; i += 1) {
      await ask(paths[i % paths.length] ?? "/");
      await delay(50);
    }
  });
  return {
    sent: () => sent,
    async stop() {
      isOver = true;
      await Promise.all(running);
      return { sent, failed };
    },
  };
}

/** Restarts each of them in turn, several times, behind a load balancer and under load; in the short form one of them. */
async function restartInTurn(apis: Place[], rounds: number) {
  const balancer = await openLoadBalancer(apis.map(({ url }) => url));
  onTestFinished(balancer.close);
  const load = visit(balancer.url, 4);
  for (let round = 0; round < rounds; round += 1) {
    for (const api of apis) {
      const ending = api.process();
      ending.kill("SIGTERM");
      expect(await ending.ended).toBe(0);
      await api.start();
      // The other one may stop when the load balancer has seen that this one is ready.
      await delay(500);
    }
  }
  // A busy machine answers slowly.
  await until(() => load.sent() > enough, { what: "enough requests to be sent" });
  return load.stop();
}

describe("a rolling restart", () => {
  it("lets no request fail, whoever is restarted while others ask", async () => {
    const apis = await twoApis(2);
    const { sent, failed } = await restartInTurn(apis, 5);
    expect(failed).toEqual([]);
    expect(sent).toBeGreaterThan(enough);
  });

  it("an API that is told to stop lives, is not ready, answers, and ends its connections", async () => {
    const [api] = await twoApis(3);
    if (!api) throw new Error("an API was started");
    const statusOf = async (path: string) => (await fetch(`${api.url}${path}`)).status;
    api.process().kill("SIGTERM");
    await until(async () => (await statusOf("/readyz")) === 503, { what: "it to be unready" });
    const answer = await fetch(`${api.url}/readyz?exclude=database`);
    expect(await answer.json()).toMatchObject({ status: 503, code: "stopping" });
    expect(await statusOf("/healthz")).toBe(200);
    const product = await fetch(`${api.url}/v1/products/1`);
    expect([product.status, product.headers.get("connection")]).toEqual([200, "close"]);
    expect(await api.process().ended).toBe(0);
  });

  it("control: without the delay of a stop, requests fail", async () => {
    const { failed } = await restartInTurn(await twoApis(0), 1);
    expect(failed.length).toBeGreaterThan(0);
  });
});

describe("an API that is lost", () => {
  it("costs requests only until the load balancer notices, and none when it is back", async () => {
    const apis = await twoApis(0);
    const balancer = await openLoadBalancer(apis.map(({ url }) => url));
    onTestFinished(balancer.close);
    const [lost] = apis;
    if (!lost) throw new Error("two APIs were started");
    const atTheLoss = visit(balancer.url, 4);
    lost.process().kill("SIGKILL");
    await lost.process().ended;
    // The load balancer asks five times a second.
    await delay(1000);
    const { sent, failed } = await atTheLoss.stop();
    expect(failed.length).toBeLessThan(sent / 2);
    const meanwhile = visit(balancer.url, 4);
    await delay(2000);
    await lost.start();
    await delay(1000);
    expect((await meanwhile.stop()).failed).toEqual([]);
  });
});
