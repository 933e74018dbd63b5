import { expect, inject } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { storeItems } from "./catalog.ts";
import { createDataDir } from "./data-dir.ts";
import { openFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import { spawnKurabe } from "./processes.ts";
import { searchItem } from "./products.ts";
import { openReplicated, type PostgresServer } from "./streaming-replica.ts";
import { until } from "./until.ts";

/** The smallest that can be set. */
export const maxLagSeconds = 3;

export interface ReplicatedApi {
  primary: PostgresServer;
  replica: PostgresServer;
  /** Between the API and the replica, and between the API and the primary. */
  toReplica: FaultProxy;
  toPrimary: FaultProxy;
  /** The address of an API, which reads from the replica. */
  api: string;
  /** Starts another one; the answer is its address. */
  startApi(env?: Record<string, string>): Promise<string>;
  store(itemId: number, price: number): Promise<unknown>;
}

/** An API over a primary with product 1 and its streaming replica. */
export async function openReplicatedApi(
  cleanups: (() => Promise<unknown>)[],
): Promise<ReplicatedApi> {
  const { primary, replica } = await openReplicated(cleanups);
  const toReplica = await proxyOf(replica);
  const toPrimary = await proxyOf(primary);

  async function proxyOf({ port }: PostgresServer): Promise<FaultProxy> {
    const proxy = await openFaultProxy({ host: "127.0.0.1", port });
    cleanups.push(proxy.close);
    return proxy;
  }

  async function startApi(env: Record<string, string> = {}): Promise<string> {
    const dir = await createDataDir();
    cleanups.push(dir.remove);
    const meili = inject("meili");
    const kurabe = spawnKurabe(["api"], {
      env: {
        DATABASE_URL: through(toPrimary, primary),
        DATABASE_REPLICA_URL: through(toReplica, replica),
        REPLICA_MAX_LAG_S: String(maxLagSeconds),
        MEILI_HOST: meili.host,
        MEILI_API_KEY: meili.apiKey,
        DATA_DIR: dir.path,
        PORT: "0",
        ...env,
      },
    });
    return kurabe.serves();
  }

  const store = (itemId: number, price: number) =>
    storeItems(primary.db, new Date().toISOString(), [
      searchItem(itemId, { title: "革の鞄", price }),
    ]);

  await store(1, 1000);
  const api = await startApi();
  await readsOf(() => api).readFrom("replica");
  return { primary, replica, toReplica, toPrimary, api, startApi, store };
}

export function through({ port }: FaultProxy, { url }: PostgresServer): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}

export interface Answer {
  status: number;
  tookMs: number;
  price: number | null;
  readFrom: string | undefined;
  lagSeconds: number | null | undefined;
}

/** What is read from the API at this address. */
export function readsOf(addressOf: () => string) {
  async function search(base = addressOf()): Promise<Answer> {
    const startedMs = performance.now();
    const response = await fetch(`${base}/v1/products?q=${encodeURIComponent("革")}`);
    const body = (await response.json()) as {
      items?: { price: number }[];
      freshness?: { read_from?: string; replica_lag_s?: number | null };
    };
    return {
      status: response.status,
      tookMs: performance.now() - startedMs,
      price: body.items?.[0]?.price ?? null,
      readFrom: body.freshness?.read_from,
      lagSeconds: body.freshness?.replica_lag_s,
    };
  }

  /** Searches twenty times a second for as long as that. */
  async function searchFor(ms: number, see: (answer: Answer) => unknown): Promise<void> {
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < ms) {
      await see(await search());
      await systemClock.sleep(50);
    }
  }

  async function priceOfProduct(): Promise<number> {
    const response = await fetch(`${addressOf()}/v1/products/1`);
    expect(response.status).toBe(200);
    return ((await response.json()) as { price: number }).price;
  }

  const readFrom = (source: "primary" | "replica", base = addressOf()) =>
    until(async () => (await search(base)).readFrom === source, {
      timeoutMs: 30_000,
      what: `reads to go to the ${source}`,
    });

  async function metric(name: string): Promise<number | null> {
    const text = await (await fetch(`${addressOf()}/metrics`)).text();
    const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
    return value === undefined ? null : Number(value);
  }

  return { search, searchFor, priceOfProduct, readFrom, metric };
}
