/**
 * Documents per second that the mirror sends from Postgres to Meilisearch, beside Meilisearch alone
 * with the same documents in the same run, in large requests that it does not wait for: a whole index,
 * and then so many changed products. `mirror_mib` is what the process grows by meanwhile, `disk_mib` what
 * each index takes. `searches` compares Kurabe's product search with one query of the engine. `batches` 1
 * measures one task by the number of its documents, `seconds` changes that come one by one, as over a day.
 *
 * The engine alone uses two cores for indexing. Kurabe and Postgres make the documents meanwhile, which needs a
 * third; where there is none, `--threads 1` leaves one to them in both halves of the comparison.
 *
 *   npm run bench:mirror -- --documents 50000 [--runs 3] [--updates 0] [--searches 0] [--threads 2]
 *     [--batches 0] [--seconds 0] [--changes-per-second 5.8] [--folder FOLDER]
 *
 * With `--folder` the products are those that `kurabe bench scale --keep FOLDER` has stored, instead of new ones.
 */
import { createReadStream } from "node:fs";
import { appendFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { readStoredProducts } from "../src/catalog/products.ts";
import { migrateDb } from "../src/db/migrate.ts";
import type { Db } from "../src/db/open.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { createEngine, type Engine, type TaskTicket } from "../src/search/engine/engine.ts";
import { toDocument } from "../src/search/index/document.ts";
import { normalise } from "../src/search/index/normalise.ts";
import { desiredSettings } from "../src/search/index/settings.ts";
import { createMirror, type Mirror } from "../src/search/mirror/mirror.ts";
import { readMirrorStatus } from "../src/search/mirror/status.ts";
import { verifyIndex } from "../src/search/mirror/proof/verify.ts";
import { createSearch } from "../src/search/search.ts";
import { readArguments } from "./support/arguments.ts";
import {
  createSearcher,
  measureBatches,
  measureTrickle,
  toQuantiles,
} from "./support/mirror-batches.ts";
import { fillCatalogue, generatedSearches } from "./support/mirror-catalogue.ts";
import { untilMirrored } from "./support/bench-catalogue.ts";
import { residentMiB, watchMemory } from "./support/resident-memory.ts";
import { timed } from "./support/timed.ts";
import {
  logger,
  openScriptDb,
  print,
  withCopy,
  withScaleDatabase,
  withServers,
  type ScratchServers,
} from "./support/servers.ts";

const rawRequestDocuments = 5000;
const hourMs = 3_600_000;
const {
  documents,
  runs,
  updates,
  searches,
  threads,
  batches,
  seconds,
  "changes-per-second": changesPerSecond,
  folder,
} = readArguments({
  documents: 50_000,
  runs: 3,
  updates: 0,
  searches: 0,
  threads: 2,
  batches: 0,
  seconds: 0,
  "changes-per-second": 5.8,
  folder: null,
});
await withServers(
  (servers) =>
    folder === null
      ? run(servers)
      : withScaleDatabase(folder, documents, (url) =>
          withCopy(url, async (copy) => {
            const { db, close } = openScriptDb(copy);
            await db.execute(sql`truncate mirror, mirror_batch, mirror_index`);
            await close();
            await run({ ...servers, databaseUrl: copy });
          }),
        ),
  threads,
);

async function run({ databaseUrl, meili, dir }: ScratchServers): Promise<void> {
  await migrateDb(databaseUrl);
  const { db, close } = openScriptDb(databaseUrl);
  const engine = createEngine({ ...meili, clock, writeTimeoutMs: 60_000 });
  if (folder === null) await fillCatalogue(db, documents);
  const file = join(dir, "documents.ndjson");
  await writeDocuments(db, file, documents);
  for (let i = 1; i <= runs; i += 1) {
    const isLast = i === runs;
    const raw = `raw_${i}`;
    const diskBefore = await sizeMiB(dir, "meilisearch");
    const rawMs = await timed(() => fillRaw(engine, raw, file));
    const diskOfRaw = (await sizeMiB(dir, "meilisearch")) - diskBefore;
    if (!isLast || updates === 0) await drop(engine, raw);
    const diskBetween = await sizeMiB(dir, "meilisearch");
    const mirror = openMirror(db, engine, `mirror_${i}_v`);
    printPace({ run: i, documents }, rawMs, await measureMirror(db, mirror));
    const indexUid = await servingUid(db, mirror.prefix);
    print({ proof: await verifyIndex({ db, engine, toDocument }, indexUid) });
    const diskOfMirror = (await sizeMiB(dir, "meilisearch")) - diskBetween;
    print({ disk_mib: { raw: diskOfRaw, mirror: diskOfMirror } });
    if (isLast && searches > 0) await compareSearches(db, engine, mirror.prefix, indexUid);
    if (isLast && updates > 0) {
      await compareUpdates(db, engine, { mirror, raw, file });
      print({ disk_mib: { mirror: (await sizeMiB(dir, "meilisearch")) - diskBefore } });
    }
    if (isLast && batches > 0)
      for (const line of await measureBatches(db, engine, { uid: indexUid, documents }))
        print(line);
    if (isLast && seconds > 0) {
      const search = createSearcher(db, engine, mirror.prefix);
      print(
        await measureTrickle({ db, mirror, meili, documents, changesPerSecond, seconds, search }),
      );
    }
    await mirror.release();
    await db.execute(sql`delete from mirror_index where index_uid = ${indexUid}`);
    await db.execute(sql`delete from mirror where index_uid = ${indexUid}`);
    await drop(engine, indexUid);
  }
  await close();
}

interface OpenMirror extends Mirror {
  prefix: string;
}

function openMirror(db: Db, engine: Engine, prefix: string): OpenMirror {
  const options = { db, clock, logger, engine, holder: randomUUID(), indexPrefix: prefix };
  return { ...createMirror(options), prefix };
}

async function servingUid(db: Db, prefix: string): Promise<string> {
  const { serving } = await readMirrorStatus(db, prefix);
  return must(serving, "an index in service").indexUid;
}

/** Products spread over the catalogue change their price, as a day's calls find them. */
async function compareUpdates(
  db: Db,
  engine: Engine,
  { mirror, raw, file }: { mirror: OpenMirror; raw: string; file: string },
): Promise<void> {
  const step = Math.max(1, Math.floor(documents / updates));
  for (let from = 1; from <= documents; from += 50_000) {
    await db.execute(sql`
      update product set price = price + 1, ver = ver + 1
      where item_id between ${from} and ${from + 49_999} and item_id % ${step} = 0`);
  }
  await rm(file);
  await writeDocuments(db, file, documents, step);
  const rawMs = await timed(() => sendRaw(engine, raw, file));
  await drop(engine, raw);
  const counted = Math.floor(documents / step);
  printPace({ updates: counted, of: documents }, rawMs, await measureMirror(db, mirror));
}

async function compareSearches(
  db: Db,
  engine: Engine,
  indexPrefix: string,
  indexUid: string,
): Promise<void> {
  const { search } = createSearch({ db, searchDb: db, engine, clock, indexPrefix });
  const times = { kurabe: [] as number[], raw: [] as number[] };
  let degraded = 0;
  for (const q of generatedSearches(searches)) {
    const rawMs = await timed(() =>
      engine.search(indexUid, { q: normalise(q), locales: ["jpn"], page: 1, hitsPerPage: 20 }),
    );
    times.raw.push(rawMs);
    const kurabeMs = await timed(async () => {
      const hits = await search({ q, page: 1, perPage: 20 });
      degraded += Number(hits.degraded);
    });
    times.kurabe.push(kurabeMs);
  }
  const { kurabe, raw } = times;
  print({ searches, degraded, kurabe: toQuantiles(kurabe), raw: toQuantiles(raw) });
}

/** One document a line, made before the time is taken; of every `step`th product. */
async function writeDocuments(db: Db, file: string, last: number, step = 1): Promise<void> {
  for (let from = step; from <= last; from += rawRequestDocuments * step) {
    const size = Math.min(rawRequestDocuments, Math.floor((last - from) / step) + 1);
    const ids = Array.from({ length: size }, (_, i) => from + i * step);
    const products = await readStoredProducts(db, ids);
    const lines = [...products.values()].map((product) => JSON.stringify(toDocument(product, 1)));
    await appendFile(file, `${lines.join("\n")}\n`);
  }
}

async function fillRaw(engine: Engine, uid: string, file: string): Promise<void> {
  await engine.awaitTask(await engine.createIndex(uid), 60_000);
  await engine.awaitTask(await engine.writeSettings(uid, desiredSettings(randomUUID())), 60_000);
  await sendRaw(engine, uid, file);
}

async function sendRaw(engine: Engine, uid: string, file: string): Promise<void> {
  const tickets: TaskTicket[] = [];
  let lines: string[] = [];
  const send = async () => {
    if (lines.length > 0) tickets.push(await engine.addDocuments(uid, lines.join("\n")));
    lines = [];
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (lines.push(line) === rawRequestDocuments) await send();
  }
  await send();
  for (const ticket of tickets) await engine.awaitTask(ticket, 2 * hourMs);
}

async function drop(engine: Engine, uid: string): Promise<void> {
  await engine.awaitTask(await engine.deleteIndex(uid), hourMs);
}

/** Until every change is searchable: in milliseconds, and what this process grew by meanwhile. */
async function measureMirror(db: Db, mirror: OpenMirror): Promise<{ ms: number; mib: number }> {
  const before = await residentMiB(process.pid);
  const most = watchMemory(process.pid);
  const ms = await timed(() => untilMirrored(db, mirror, mirror.prefix));
  return { ms, mib: Math.round((await most()) - before) };
}

async function sizeMiB(dir: string, part: string): Promise<number> {
  const names = await readdir(dir, { recursive: true });
  const sizes = names
    .filter((name) => name.startsWith(part))
    .map(async (name) => (await stat(join(dir, name)).catch(() => null))?.size ?? 0);
  return Math.round((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1024 / 1024);
}

function printPace(
  subject: Record<string, number>,
  rawMs: number,
  mirror: { ms: number; mib: number },
): void {
  const count = must(subject.updates ?? subject.documents, "a count");
  print({
    ...subject,
    raw_documents_per_s: Math.round((count * 1000) / rawMs),
    mirror_documents_per_s: Math.round((count * 1000) / mirror.ms),
    mirror_pace_of_raw: Number((rawMs / mirror.ms).toFixed(2)),
    mirror_mib: mirror.mib,
  });
}
