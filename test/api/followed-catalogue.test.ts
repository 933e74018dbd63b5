import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { thinChanges } from "../../src/catalog/changes/change-order.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { publishProducts } from "../../src/service/worker/public-exports.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import {
  createBusyCatalogue,
  findDifferences,
  openProduct,
  readCatalogue,
} from "../support/busy-catalogue.ts";
import { emptyCopy, followOnce, loadSnapshot, type Copy } from "../support/follower.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const changes = inject("long") ? 20_000 : 400;
const kills = inject("long") ? 50 : 5;

const test = openedForEach(createTestDb);
let api: TestApi;
let publish: () => Promise<void>;
let folders = 0;

beforeEach(async () => {
  const folder = join(inject("runDir"), `followed-${(folders += 1)}`);
  const { signal } = new AbortController();
  publish = () =>
    publishProducts({
      db: test.db,
      market: createMarket(defaultMarket),
      clock: systemClock,
      folder,
      keep: 2,
      signal,
    });
  api = createTestApi(test.db, { publicExportsDir: folder });
});

class Killed extends Error {}

/** Lets a follower live for that long, and kills it between any two of its steps. */
async function followUntilKilled(copy: Copy, lifeMs: number, fromSnapshot: boolean): Promise<void> {
  const endMs = performance.now() + lifeMs;
  const step = () => {
    if (performance.now() > endMs) throw new Killed();
  };
  const options = { copy, get: api.get, step, limit: 1 + Math.floor(Math.random() * 300) };
  try {
    if (copy.cursor === null && fromSnapshot) await loadSnapshot(options);
    for (;;) if ((await followOnce(options)) > 0) await systemClock.sleep(5);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

async function followToTheEnd(copy: Copy): Promise<void> {
  const options = { copy, get: api.get, step() {}, limit: 1000 };
  while ((await followOnce(options)) === 0);
}

/** In the short form the one with an old cursor begins with the beginning. */
const beginnings: readonly (readonly [string, boolean])[] = [
  ["a snapshot", true],
  ...(inject("long") ? [["the beginning", false] as const] : []),
];

describe.each(beginnings)("a follower that begins with %s", (_, fromSnapshot) => {
  it("equals the catalogue row by row, however often it was killed while others wrote", async () => {
    const busy = createBusyCatalogue(test.db);
    await busy.run(200);
    const commit = await openProduct(test.db, 9_000_001);
    await publish();
    const copy = emptyCopy();
    let killed = 0;
    let isBusy = true;
    const follow = async () => {
      for (; isBusy || killed < kills; killed += 1) {
        await followUntilKilled(copy, 200 * Math.random(), fromSnapshot);
        // At times it loses its disk as well, and begins with a newer snapshot.
        if (killed % 20 === 9) {
          copy.cursor = null;
          copy.products.clear();
          await publish();
        }
      }
    };
    const write = async () => {
      await busy.run(changes);
      isBusy = false;
    };
    await Promise.all([write(), follow()]);
    await followToTheEnd(copy);
    expect(copy.products.has(9_000_001)).toBe(false);
    await commit();
    await busy.settle();
    await followToTheEnd(copy);
    expect(await findDifferences(test.db, copy.products)).toEqual([]);
    expect(copy.products.size).toBeGreaterThan(inject("long") ? 500 : 200);
    expect(copy.products.has(9_000_001)).toBe(true);
  });
});

describe("a follower with an old cursor", () => {
  it("misses nothing after old changes were thinned", async () => {
    const busy = createBusyCatalogue(test.db);
    await busy.run(300);
    const copy = emptyCopy();
    await followToTheEnd(copy);
    await busy.run(300);
    const half: Copy = { products: new Map(copy.products), cursor: copy.cursor };
    await followOnce({ copy: half, get: api.get, step() {}, limit: 100 });
    await busy.settle();
    const before = await count();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await thinChanges(test.db, tomorrow, new AbortController().signal);
    expect(await count()).toBeLessThan(before);
    for (const follower of [copy, half]) {
      await followToTheEnd(follower);
      expect(await findDifferences(test.db, follower.products)).toEqual([]);
    }
  });
});

async function count(): Promise<number> {
  const [row] = await test.db.execute<{ n: number }>(sql`select count(*) as n from product_change`);
  return row?.n ?? 0;
}

describe("a reader that orders changes by when they were written", () => {
  it("misses those of transactions that commit late: the control of these tests", async () => {
    await test.db.execute(sql`create table naive_change (id bigint, item_id bigint)`);
    await test.db.execute(sql`
      create function copy_change() returns trigger language plpgsql as $$
      begin insert into naive_change values (new.id, new.item_id); return null; end $$`);
    await test.db.execute(sql`
      create trigger copy_change after insert on pending_change
      for each row execute function copy_change()`);
    let last = 0;
    const seen = new Set<number>();
    const read = async () => {
      const rows = await test.db.execute<{ id: number; item_id: number }>(sql`
        select id, item_id from naive_change where id > ${last} order by id`);
      for (const row of rows) seen.add(row.item_id);
      last = rows.at(-1)?.id ?? last;
    };
    const busy = createBusyCatalogue(test.db);
    const commit = await openProduct(test.db, 9_000_001);
    await busy.run(200);
    await read();
    await commit();
    await read();
    const truth = await readCatalogue(test.db);
    const copied = new Map([...truth].filter(([id]) => seen.has(id)));
    expect(copied.size).toBeGreaterThan(100);
    expect(await findDifferences(test.db, copied)).toContain(9_000_001);
  });
});
