import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { createBackground } from "../../src/bench/scale/background.ts";
import { createBenchEngine } from "../../src/bench/scale/engine.ts";
import { fillScale } from "../../src/bench/scale/fill.ts";
import { createHurriedClock, createRequests } from "../../src/bench/scale/requests.ts";
import { watchPlaces } from "../../src/bench/scale/statements.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { measuredFiles } from "../support/measured-files.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";

const products = 200;
const test = openedForAll(createTestDb);

beforeAll(async () => {
  await fillScale(test.db, products, new Date(), () => {});
});

const count = async (text: ReturnType<typeof sql>) =>
  (await test.db.execute<{ n: number }>(sql`select count(*) as n from ${text}`))[0]?.n;

describe("the catalogue of kurabe bench scale", () => {
  it("has the search texts that the triggers would write", async () => {
    expect(await count(sql`product_text`)).toBe(products * 0.99);
    const before = await test.db.execute(sql`select * from product_text order by item_id`);
    await test.db.execute(sql`delete from product_text`);
    await test.db.execute(sql`select write_product_text(array(select item_id from product))`);
    expect(await test.db.execute(sql`select * from product_text order by item_id`)).toEqual(before);
  });

  it("has every product's last price as the last of its history", async () => {
    expect(
      await count(sql`product p where (price, stock, price_since) is distinct from (
        select (price, stock, first_seen) from price_interval i where i.item_id = p.item_id
        order by first_seen desc limit 1)`),
    ).toBe(0);
  });

  it("has no index or foreign key less than a migrated database, and its triggers run as before", async () => {
    const shape = (name: TestDb) =>
      name.db.execute(sql`
        select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON', 'INDEX ON') as definition from pg_index i
        join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'public'::regnamespace and c.relname !~ '^confirmation_[0-9]'
        union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
        order by 1`);
    const empty = await createTestDb();
    try {
      expect(await shape(test)).toEqual(await shape(empty));
    } finally {
      await empty.close();
    }
  });
});

describe("kurabe bench scale", () => {
  it("sends statements of every file that it says it measures, and no request fails", async () => {
    const places = watchPlaces();
    try {
      const { db } = test;
      let next = 0;
      const pick = () => 1 + ((next += 7) % products);
      const engine = await createBenchEngine(db, pick);
      const clock = createHurriedClock(systemClock);
      const failures: string[] = [];
      const common = { db, logger, engine, timezone: "Asia/Tokyo", pick };
      const request = createRequests({
        ...common,
        clock,
        onRequest: () => {},
        onFailure: (path, status) => failures.push(`${status} ${path}`),
      });
      const background = createBackground({
        ...common,
        clock: systemClock,
        onPart: () => {},
        say: (line) => /: .*: /.test(line) && failures.push(line),
      });
      await background.start();
      await request();
      for (let step = 0; step < 3; step += 1) await background.step();
      await background.rest();
      expect(failures).toEqual([]);
      const files = new Set([...places.byText.values()].map((place) => place.split(" ")[0]));
      expect(measuredFiles.filter((file) => !files.has(file))).toEqual([]);
    } finally {
      places.stop();
    }
  });
});
