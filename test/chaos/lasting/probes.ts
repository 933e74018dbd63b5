import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../../src/lib/clock.ts";
import { must } from "../../../src/lib/must.ts";
import { servingIndexes } from "../checks/index-content.ts";
import type { ProbeName, Site } from "./service-case.ts";
import { askMeilisearch } from "../../support/json-request.ts";

/** How many were answered as they should be, in `seconds`. */
type Probe = (site: Site, seconds: number) => Promise<number>;

export const probeNames: Record<ProbeName, string> = {
  "engine searches": "searches answered by the engine within 1 s",
  searches: "searches answered within 2.5 s",
  products: "products shown within 1 s",
  pages: "result pages shown within 2.5 s",
  ops: "ops requests answered within 2 s",
  health: "health checks answered within 1 s",
  "answers stored": "answers of the upstream stored",
  "documents synced": "changed documents in the index",
};

let asked = 0;
const next = <T>(list: readonly T[]): T => must(list[(asked += 1) % list.length], "something");
/** Asked for by nobody before, so that no memory answers. */
const freshSearch = ({ words }: Site) =>
  `q=${encodeURIComponent(next(words))}&price_max=${1_000_000 + asked}`;

const isGood = (status: number) => status === 200;
const isFromEngine = (status: number, text: string) =>
  status === 200 && /"engine":"meilisearch","degraded":false/.test(text);

export const probes: Record<ProbeName, Probe> = {
  "engine searches": visitors({
    perSecond: 10,
    withinMs: 1000,
    isRight: isFromEngine,
    path: (site) => `/v1/products?${freshSearch(site)}`,
  }),
  searches: visitors({
    perSecond: 5,
    withinMs: 2500,
    isRight: isGood,
    path: (site) => `/v1/products?${freshSearch(site)}`,
  }),
  products: visitors({
    perSecond: 5,
    withinMs: 1000,
    isRight: isGood,
    path: ({ itemIds }) => `/v1/products/${next(itemIds)}`,
  }),
  pages: visitors({
    perSecond: 2,
    withinMs: 2500,
    isRight: isGood,
    path: (site) => `/?${freshSearch(site)}`,
  }),
  ops: visitors({ perSecond: 4, withinMs: 2000, isRight: isGood, path: () => "/ops/v1/budget" }),
  health: visitors({ perSecond: 4, withinMs: 1000, isRight: isGood, path: () => "/healthz" }),
  "answers stored": async ({ world }, seconds) => {
    const read = () =>
      world.servers.sql(async (sql) => {
        const [row] = await sql<{ n: string }[]>`
          select count(*) as n from api_call where outcome = 'ok'`;
        return Number(row?.n);
      });
    const before = await read();
    // There are few of them.
    await pause(2 * seconds * 1000);
    return (await read()) - before;
  },
  "documents synced": syncDocuments,
};

interface Visitors {
  perSecond: number;
  withinMs: number;
  path(site: Site): string;
  isRight(status: number, text: string): boolean;
}

/** They come at their own rate, whoever still waits: a slow answer holds up nobody but itself. */
function visitors({ perSecond, withinMs, path, isRight }: Visitors): Probe {
  return async (site, seconds) => {
    const visits: Promise<boolean>[] = [];
    for (let i = 0; i < perSecond * seconds; i += 1) {
      visits.push(visit(site, path(site), withinMs, isRight));
      await pause(1000 / perSecond);
    }
    return (await Promise.all(visits)).filter(Boolean).length;
  };
}

async function visit(
  site: Site,
  path: string,
  withinMs: number,
  isRight: Visitors["isRight"],
): Promise<boolean> {
  const headers: Record<string, string> = path.startsWith("/ops/")
    ? { authorization: `Bearer ${site.world.opsToken}` }
    : {};
  try {
    const signal = AbortSignal.timeout(withinMs);
    const answer = await fetch(`${site.url()}${path}`, { headers, signal });
    return isRight(answer.status, await answer.text());
  } catch {
    return false;
  }
}

const changesASecond = 20;
/** Between a change and its search, when nothing is bad. */
const syncMs = 3000;

async function syncDocuments({ world, itemIds }: Site, seconds: number): Promise<number> {
  const { servers, sandbox } = world;
  const count = Math.min(itemIds.length, seconds * changesASecond);
  const ids = Array.from({ length: count }, () => next(itemIds));
  const price = 1_000_000 + (systemClock.now().getTime() % 1_000_000);
  for (let i = 0; i < ids.length; i += changesASecond) {
    const some = ids.slice(i, i + changesASecond);
    // Upstream as well: whoever looks there meanwhile sees the same.
    for (const id of some) sandbox.control.edit(id, { price }, { silent: true });
    await servers.sql(
      (sql) => sql`
        update product set price = ${price}, ver = ver + 1
        where item_id in (select json_array_elements_text(${JSON.stringify(some)}::text::json)::bigint)`,
    );
    await pause(1000);
  }
  await pause(syncMs);
  return servers.sql(async (sql) => {
    const [index] = await servingIndexes({ sql, hosts: [servers.engine.host] });
    const { uid, url } = must(index, "an index");
    const host = { ...servers.engine, host: url };
    const body = { filter: `price = ${price}`, fields: ["id"], limit: 1000 };
    const answer = await askMeilisearch(host, "POST", `/indexes/${uid}/documents/fetch`, body);
    const { results } = (await answer.json()) as { results: { id: number }[] };
    const wanted = new Set(ids);
    return results.filter(({ id }) => wanted.has(id)).length;
  });
}
