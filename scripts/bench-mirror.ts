/**
 * Documents per second that the mirror sends from Postgres to Meilisearch, beside Meilisearch alone
 * with the same documents in the same run, in large requests that it does not wait for.
 *
 *   npm run bench:mirror -- --documents 50000 [--runs 3]
 */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { readStoredProducts } from "../src/catalog/products.ts";
import { migrateDb } from "../src/db/migrate.ts";
import { openDb, type Db } from "../src/db/open.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { createLogger } from "../src/lib/logger.ts";
import { must } from "../src/lib/must.ts";
import { toDocument } from "../src/search/index/document.ts";
import { createEngine, type Engine } from "../src/search/engine/engine.ts";
import { createMirror } from "../src/search/mirror/mirror.ts";
import { desiredSettings } from "../src/search/index/settings.ts";
import { readMirrorStatus } from "../src/search/mirror/status.ts";
import { verifyIndex } from "../src/search/mirror/verify.ts";
import { readNumbers } from "./arguments.ts";
import { withServers } from "./servers.ts";

const rawRequestDocuments = 5000;
const logger = createLogger({ level: "warn", format: "json" });

const things =
  "革財布 トートバッグ マグカップ ピアス ネックレス がま口ポーチ 木の器 リネンシャツ 陶器の皿 刺繍ブローチ".split(
    " ",
  );
const traits =
  "手作りの 北欧風 ヴィンテージ 京都の ハンドメイド 一点もの 軽い 防水 ウール100% 桜柄の 職人が仕上げた 藍染め".split(
    " ",
  );
const sentences = [
  "一点ずつ丁寧に仕立てました。",
  "使い込むほどに味わいが増します。",
  "サイズは約24cm×18cmです。",
  "ギフト包装も承ります。",
  "天然素材のため色むらがあります。",
  "ご注文から三日以内に発送します。",
];

const { documents, runs } = readNumbers({ documents: 50_000, runs: 3 });
const running = new AbortController().signal;
await withServers(({ databaseUrl, meili }) => run(databaseUrl, meili));

async function run(databaseUrl: string, meili: { host: string; apiKey: string }): Promise<void> {
  await migrateDb(databaseUrl);
  const { db, close } = openDb({
    url: databaseUrl,
    applicationName: "kurabe:bench",
    maxConnections: 4,
    statementTimeoutMs: 120_000,
  });
  const engine = createEngine({ ...meili, clock, writeTimeoutMs: 60_000 });
  await fillCatalogue(db, documents);
  await rawIngest(db, engine, "warm_up", 1);
  for (let i = 1; i <= runs; i += 1) {
    const rawSeconds = await rawIngest(db, engine, `raw_${i}`, documents);
    const mirrorSeconds = await mirrorIngest(db, engine, `mirror_${i}_v`);
    const perSecond = (seconds: number) => Math.round(documents / seconds);
    print({
      run: i,
      documents,
      raw_documents_per_s: perSecond(rawSeconds),
      mirror_documents_per_s: perSecond(mirrorSeconds),
      mirror_time_over_raw: Number((mirrorSeconds / rawSeconds).toFixed(2)),
    });
  }
  await close();
}

async function mirrorIngest(db: Db, engine: Engine, indexPrefix: string): Promise<number> {
  const mirror = createMirror({ db, clock, logger, engine, holder: randomUUID(), indexPrefix });
  const startedMs = clock.monotonicMs();
  for (;;) {
    const pauseMs = await mirror.step(running);
    const { serving } = await readBacklog(db, indexPrefix, pauseMs);
    if (serving) break;
    await clock.sleep(pauseMs);
  }
  const seconds = (clock.monotonicMs() - startedMs) / 1000;
  const { serving } = await readMirrorStatus(db, clock.now(), indexPrefix);
  const indexUid = must(serving, "an index in service").indexUid;
  const report = await verifyIndex({ db, engine, toDocument }, indexUid);
  print({ proof: report });
  await mirror.release();
  await db.execute(sql`delete from mirror_index where index_uid = ${indexUid}`);
  await db.execute(sql`delete from mirror where index_uid = ${indexUid}`);
  await engine.awaitTask(await engine.deleteIndex(indexUid), 60_000);
  return seconds;
}

/** Called only when the mirror is idle, so that it costs nothing. */
async function readBacklog(db: Db, indexPrefix: string, pauseMs: number) {
  if (pauseMs < 100) return { serving: false };
  const { serving } = await readMirrorStatus(db, clock.now(), indexPrefix);
  return { serving: serving !== null && serving.clean > 0 && serving.dirty === 0 };
}

async function rawIngest(db: Db, engine: Engine, uid: string, documents: number): Promise<number> {
  const requests: string[] = [];
  for (let from = 1; from <= documents; from += rawRequestDocuments) {
    const size = Math.min(rawRequestDocuments, documents - from + 1);
    const products = await readStoredProducts(
      db,
      Array.from({ length: size }, (_, i) => from + i),
    );
    const lines = [...products.values()].map((product) => JSON.stringify(toDocument(product, 1)));
    requests.push(lines.join("\n"));
  }
  const startedMs = clock.monotonicMs();
  await engine.awaitTask(await engine.createIndex(uid), 60_000);
  await engine.awaitTask(await engine.writeSettings(uid, desiredSettings(randomUUID())), 60_000);
  const tickets = [];
  for (const request of requests) tickets.push(await engine.addDocuments(uid, request));
  for (const ticket of tickets) await engine.awaitTask(ticket, 600_000);
  const seconds = (clock.monotonicMs() - startedMs) / 1000;
  await engine.awaitTask(await engine.deleteIndex(uid), 60_000);
  return seconds;
}

/** The same catalogue on every run: words and numbers chosen by a small linear generator. */
async function fillCatalogue(db: Db, documents: number): Promise<void> {
  let state = 42;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  const pick = (list: readonly string[]) => must(list[below(list.length)], "a word");
  await db.execute(sql`
    insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
    select 'shop-' || i, '工房 ' || i, 'https://shop-' || i || '.example.com/', now(), now()
    from generate_series(0, 499) i`);
  for (let from = 1; from <= documents; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, documents - from + 1) }, (_, i) => ({
      item_id: from + i,
      shop_id: `shop-${below(500)}`,
      title: `${pick(traits)}${pick(things)} ${pick(traits)} No.${below(9000)}`,
      detail: Array.from({ length: 2 + below(12) }, () => pick(sentences)).join(""),
      price: 300 + below(20_000),
      stock: below(5),
      categories: [pick(things), pick(traits)],
    }));
    await db.execute(sql`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible,
        list_order, images, variations, categories, modified, first_seen_at, checked_at,
        changed_at, price_since, last_call_id)
      select item_id, shop_id, 1, 'live', title, detail, price, stock, 1, 1, '[]', '[]', categories,
        1700000000, now(), now(), now(), now(), 1
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(item_id bigint, shop_id text,
        title text, detail text, price bigint, stock bigint, categories jsonb)`);
  }
  await db.execute(sql`analyze product`);
}

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
