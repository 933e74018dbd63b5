import { randomBytes } from "node:crypto";
import { sql, TransactionRollbackError } from "drizzle-orm";
import pino from "pino";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { reindex } from "../../src/cli/maintenance.ts";
import { loadConfig } from "../../src/config.ts";
import { createCache } from "../../src/lib/cache.ts";
import { systemClock as clock } from "../../src/lib/clock.ts";
import { runLoop } from "../../src/lib/loop.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { disownCopied } from "../../src/search/mirror/mirror.ts";
import { readServingIndex } from "../../src/search/mirror/indexes/serving-index.ts";
import { startRebuild } from "../../src/search/mirror/rebuild.ts";
import { createSearch } from "../../src/search/search.ts";
import { createSearchBackend } from "../../src/service/search-backend.ts";
import { Registry } from "prom-client";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain, step, type TestMirror } from "../support/mirror.ts";
import { itLong } from "../support/it-long.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
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

itLong("the same on several hosts, which are not searched before they are filled", async () => {
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

/** Warnings and what they name, in order. */
function createListeningLogger() {
  const lines: string[] = [];
  return { logger: pino({}, { write: (line) => void lines.push(line) }), lines };
}

it("with one prefix, a second database leaves the index of the first and makes its own", async () => {
  await store(shared, 1, "革財布");
  await store(other, 2, "革財布");
  const { logger, lines } = createListeningLogger();
  const { engine, indexPrefix, indexUid } = shared;
  const first = shared.start();
  await drain(shared.db, first, indexPrefix);
  await first.release();
  const second = shared.start({ db: other.db, logger });
  await drain(other.db, second, indexPrefix);
  await second.release();
  expect(lines.join("")).toContain("another database fills this index");
  expect(await engine.countDocuments(indexUid)).toBe(1);
  expect([...(await shared.documents(`${indexPrefix}2`)).keys()]).toEqual([2]);
  // The next name is the second's: what is rebuilt gets another one.
  const stdout = { write: (line: string) => void lines.push(line) };
  const env = {
    ...(await kurabeEnv(shared.url)),
    MEILI_INDEX_PREFIX: indexPrefix.replace(/_v$/, ""),
  };
  const signal = AbortSignal.timeout(30_000);
  expect(
    await reindex({ env, config: loadConfig(env), logger, signal, stdout, stderr: stdout }),
  ).toBe(0);
  expect(lines.at(-1)).toBe(`${indexPrefix}3 is proven and in service\n`);
});

itLong(
  "the copy of a database leaves the original's indexes, also those that were replaced, and makes its own",
  async () => {
    const original = await createTestDb();
    const { engine, indexPrefix, indexUid } = shared;
    await store(original, 1, "革財布");
    const filled = shared.start({ db: original.db });
    await drain(original.db, filled, indexPrefix);
    await startRebuild(original.db, indexPrefix);
    const serving = `${indexPrefix}2`;
    await until(
      async () => (
        await step(filled),
        (await readServingIndex(original.db, indexPrefix)) === serving
      ),
      { what: "the second index" },
    );
    await filled.release();
    const copy = await createTestDb(await original.keep());
    onTestFinished(() => copy.close());
    const { logger, lines } = createListeningLogger();
    await store(copy, 2, "革財布");
    const mirror = shared.start({ db: copy.db, logger, checkEveryMs: 0 });
    await copy.db.execute(sql`
    update mirror_index set switched_at = now() - interval '25 hours' where state = 'retired'`);
    await until(
      async () => {
        await step(mirror);
        const known = await copy.db.execute<{ uid: string }>(
          sql`select index_uid as uid from mirror_index`,
        );
        return known.map(({ uid }) => uid).join() === `${indexPrefix}3`;
      },
      { what: "only its own index to be known" },
    );
    await drain(copy.db, mirror, indexPrefix);
    await mirror.release();
    expect(await engine.readIndex(indexUid)).not.toBeNull();
    expect([...(await shared.documents(serving)).keys()]).toEqual([1]);
    expect([...(await shared.documents(`${indexPrefix}3`)).keys()]).toEqual([1, 2]);
    expect(lines.join("")).toContain("this database is a copy of another one");
  },
);

it("a role that may not ask for the database's identity mirrors all the same", async () => {
  const { logger, lines } = createListeningLogger();
  await shared.db
    .transaction(async (tx) => {
      const role = `role_${randomBytes(6).toString("hex")}`;
      await tx.execute(`create role ${role}`);
      await tx.execute(`grant all on all tables in schema public to ${role}`);
      await tx.execute("revoke execute on function pg_control_system() from public");
      await tx.execute(`set local role ${role}`);
      await disownCopied((work) => tx.transaction(work), logger);
      tx.rollback();
    })
    .catch((error: unknown) => expect(error).toBeInstanceOf(TransactionRollbackError));
  expect(lines.join("")).toContain("the role may not call pg_control_system()");
});
