import { sql } from "drizzle-orm";
import pino from "pino";
import { afterEach, it, onTestFinished } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { createCache } from "../../src/lib/cache.ts";
import { systemClock as clock } from "../../src/lib/clock.ts";
import { runLoop } from "../../src/lib/loop.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createMirror } from "../../src/search/mirror/mirror.ts";
import { createSearch } from "../../src/search/search.ts";
import { createSearchBackend } from "../../src/service/search-backend.ts";
import { Registry } from "prom-client";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, step, type TestMirror } from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { titledItem } from "../support/products.ts";
import { apiKey, startSearchHost } from "../support/search-hosts.ts";
import { until } from "../support/until.ts";

const shared = openedForEach(createTestMirror);
const other = openedForEach(createTestDb);
/** Run before the databases are closed, which were opened first. */
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** A Kurabe with a database of its own; on the engine of `shared`, unless settings name others. */
function openKurabe({ db }: TestDb, name: string, settings: Record<string, string> = {}) {
  const prefix = `${shared.meili.prefix}${name}`;
  const config = loadConfig({ ...settings, MEILI_INDEX_PREFIX: prefix });
  const stopping = new AbortController();
  const { signal } = stopping;
  const meili = { host: shared.meili.host, apiKey: config.meiliApiKey ?? shared.meili.apiKey };
  const resources = { engine: shared.engine, meili };
  const backend = createSearchBackend(config, resources, { clock, logger: silentLogger, signal });
  const mirror = backend.mirror(db);
  const done = runLoop({ name, clock, logger: silentLogger, signal, step: mirror.step });
  const cache = createCache(clock);
  const wiring = backend.search(db, cache, new Registry());
  const { search } = createSearch({ db, searchDb: db, clock, cache, ...wiring });
  const stop = async () => {
    stopping.abort();
    await done;
    await mirror.release();
  };
  stops.push(stop);
  return {
    stop,
    async finds(ids: number[]) {
      await until(
        async () => {
          const hits = await search({ q: "財布", page: 1, perPage: 20 });
          return !hits.degraded && hits.ids.join() === ids.join();
        },
        { what: `products ${ids.join()} by the engine`, timeoutMs: 60_000 },
      );
    },
  };
}

const store = ({ db }: TestDb, id: number, title: string) =>
  storeItems(db, "2026-01-01T00:00:00Z", [titledItem(id, title)]);

const namesIn = async ({ db }: TestMirror) =>
  (
    await db.execute<{ uid: string }>(sql`select index_uid as uid from mirror_index order by 1`)
  ).map(({ uid }) => uid.slice(shared.meili.prefix.length));

const onlyKnown = (name: string) =>
  until(async () => (await namesIn(shared)).every((uid) => uid.startsWith(name)), {
    what: "only the new indexes to be known",
  });

it("two databases on one engine keep their products apart by MEILI_INDEX_PREFIX", async () => {
  await store(shared, 1, "革財布");
  await store(other, 2, "革財布");
  const [one, two] = [openKurabe(shared, "one"), openKurabe(other, "two")];
  await one.finds([1]);
  await two.finds([2]);
  await one.finds([1]);
});

it("another prefix makes another index, and the former one is forgotten", async () => {
  await store(shared, 1, "革財布");
  const before = openKurabe(shared, "one");
  await before.finds([1]);
  await before.stop();
  const after = openKurabe(shared, "two");
  await after.finds([1]);
  await onlyKnown("two_v");
});

it("the same on several hosts, which are not searched before they are filled", async () => {
  const hosts = await Promise.all([startSearchHost(), startSearchHost()]);
  onTestFinished(async () => void (await Promise.all(hosts.map((host) => host.kill()))));
  const settings = {
    MEILI_HOST: hosts.map(({ url }) => url).join(),
    MEILI_API_KEY: apiKey,
  };
  await store(shared, 1, "革財布");
  await store(shared, 2, "財布");
  const before = openKurabe(shared, "one", settings);
  await before.finds([2, 1]);
  await before.stop();
  const after = openKurabe(shared, "two", settings);
  await onlyKnown("two_h");
  await after.finds([2, 1]);
});

it("control: with one prefix both fill the same index, and each log says what is wrong", async () => {
  await store(shared, 1, "革財布");
  await store(other, 2, "革財布");
  const { engine, indexPrefix } = shared;
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const mirrors = [shared, other].map(({ db }) =>
    createMirror({ db, engine, clock, logger, indexPrefix, checkEveryMs: 0 }),
  );
  await until(
    async () => {
      for (const mirror of mirrors) await step(mirror);
      return lines.filter((line) => line.includes("MEILI_INDEX_PREFIX")).length > 3;
    },
    { what: "both to tell of the other" },
  );
});
