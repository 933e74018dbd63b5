import { sql } from "drizzle-orm";
import { followShopRename } from "../../src/catalog/upkeep/shop-renames.ts";
import type { Db, Tx } from "../../src/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createEngine, type Engine } from "../../src/search/engine/engine.ts";
import { createMirror, type Mirror, type MirrorOptions } from "../../src/search/mirror/mirror.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { openTestMeilisearch, type TestMeilisearch } from "./meilisearch.ts";
import { createTestDb, type TestDb } from "./postgres.ts";
import { until } from "./until.ts";

export interface TestMirror extends TestDb {
  meili: TestMeilisearch;
  engine: Engine;
  /** The mirror's index prefix; the first index is this and a 1. */
  indexPrefix: string;
  indexUid: string;
  /** Another mirror process (in this one); the first of them holds the lease. */
  start(over?: Partial<MirrorOptions>): Mirror;
  /** All documents of the index, as plain HTTP gives them, by id. */
  documents(indexUid?: string): Promise<Map<number, Record<string, unknown>>>;
}

export async function createTestMirror(): Promise<TestMirror> {
  const test = await createTestDb();
  const meili = openTestMeilisearch();
  // A long timeout, because on a busy machine Postgres would answer instead.
  const engine = createEngine({ ...meili, clock: systemClock, searchTimeoutMs: 8000 });
  const indexPrefix = `${meili.prefix}v`;
  const indexUid = `${indexPrefix}1`;
  const mirrors: Mirror[] = [];
  return {
    ...test,
    meili,
    engine,
    indexPrefix,
    indexUid,
    start(over = {}) {
      const mirror = createMirror({
        db: test.db,
        clock: systemClock,
        logger: silentLogger,
        engine,
        indexPrefix,
        checkEveryMs: 200,
        ...over,
      });
      mirrors.push(mirror);
      return mirror;
    },
    async documents(uid = indexUid) {
      const { results } = await meili.client.index(uid).getDocuments({ limit: 100_000 });
      return new Map(results.map((document) => [Number(document.id), document]));
    },
    async close() {
      for (const mirror of mirrors) await mirror.release();
      await meili.close();
      await test.close();
    },
  };
}

const running = new AbortController().signal;

/** Runs the mirror until its serving index has no pending rows and is searched. */
export async function drain(db: Db, mirror: Mirror, indexPrefix: string): Promise<void> {
  await until(
    async () => {
      const pauseMs = await mirror.step(running);
      await systemClock.sleep(Math.min(pauseMs, 20));
      const { serving } = await readMirrorStatus(db, indexPrefix);
      if (!serving?.isSearched || serving.dirty > 0) return false;
      return serving.clean + serving.deadLettered > 0;
    },
    { what: "the mirror to be level" },
  );
}

/** One step, which may be refused or fail. */
export async function step(mirror: Mirror): Promise<number> {
  return mirror.step(running);
}

/** Rejects as the first step does that fails; one that has nothing to send, or rests after a small batch, does not. */
export async function stepUntilFailure(mirror: Mirror): Promise<never> {
  for (;;) await systemClock.sleep(Math.min(await step(mirror), 20));
}

/** Products `from` to `to` as plain rows, faster than through the write path. */
export async function fillProducts(db: Db | Tx, from: number, to: number): Promise<void> {
  await db.execute(sql`
    insert into shop values ('shop-1', '革工房', 'https://shop-1.example.com/', now(), now())
    on conflict do nothing`);
  await db.execute(sql`
    insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order,
      images, variations, categories, modified, first_seen_at, checked_at, changed_at, price_since,
      last_call_id)
    select i, 'shop-1', 1, 'live', '手作りの革財布 ' || i, '牛革', 1000 + i, i % 3, 1, 1, '[]', '[]',
      '["バッグ"]', 1700000000, now(), now(), now(), now(), 1
    from generate_series(${from}::bigint, ${to}::bigint) i`);
}

export async function setPrice(db: Db, itemId: number, price: number): Promise<void> {
  await db.execute(sql`
    update product set price = ${price}, ver = ver + 1 where item_id = ${itemId}`);
}

/** So that an order by price has no ties. */
export async function setUniquePrices(db: Db): Promise<void> {
  await db.execute(sql`
    update product p set ver = p.ver + 1, price = 363 + 137 * n.nr
    from (select item_id, row_number() over (order by item_id) as nr from product) n
    where n.item_id = p.item_id`);
}

export async function setDeleted(db: Db, itemId: number): Promise<void> {
  await db.execute(sql`
    update product set state = 'gone', ver = ver + 1, deleted_at = now(), deleted_call_id = 1
    where item_id = ${itemId}`);
}

/** Lets search text and index entries follow all new names of shops. */
export async function followRenames(db: Db): Promise<void> {
  const logger = silentLogger;
  while ((await followShopRename({ db, clock: systemClock, logger })) === 0);
}

/** Rows of the mirror whose last change is not acknowledged. */
export async function dirtyIds(db: Db, indexUid: string): Promise<number[]> {
  const rows = await db.execute<{ item_id: number }>(sql`
    select item_id from mirror where index_uid = ${indexUid} and desired_version > indexed_version order by item_id`);
  return rows.map((row) => row.item_id);
}
