import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { readManifest } from "../../src/export/manifest.ts";
import { runExport, type ExportOptions } from "../../src/export/run.ts";
import { must } from "../../src/lib/must.ts";
import { authorised, clockAt, createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const clock = clockAt("2026-01-15T03:00:00Z");
const lastDay = "2026-01-14";
const test = openedForAll(createTestDb);
let folder: string;
let duck: DuckDBConnection;

beforeAll(async () => {
  folder = join(inject("runDir"), "exports");
  duck = await (await DuckDBInstance.create(":memory:")).connect();
  await rememberTimezone(test.db, "Asia/Tokyo", clock.now());
  for (let day = 10; day <= 15; day += 1) {
    const items = Array.from({ length: 40 }, (_, i) => i + 1)
      .filter((id) => (id * day) % 3 !== 0)
      .map((id) =>
        searchItem(id, {
          title: `財布 "${id}",\n二行目`,
          price: 9_007_199_254_000_000 + id * (day % 2),
          properPrice: id % 5 === 0 ? null : 5000,
        }),
      );
    await storeItems(test.db, `2026-01-${day}T02:00:00Z`, items);
    await test.db.execute(sql`
      insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, returned, created)
      select ${`2026-01-${day}`}, 'discovery', 'search', 'discover', '{"q":"財布"}', ${`2026-01-${day}T02:00:00Z`},
        ${`2026-01-${day}T02:00:01Z`}, 'ok', 50, n from generate_series(1, 7) n`);
  }
});

const run = (over: Partial<ExportOptions> = {}) =>
  runExport({
    db: test.db,
    databaseUrl: test.url,
    clock,
    folder,
    formats: ["parquet", "csv"],
    signal: new AbortController().signal,
    ...over,
  });

async function duckRow(query: string): Promise<string[]> {
  const [row] = (await duck.runAndReadAll(query)).getRowsJson();
  return must(row, "a row").map(String);
}

async function pgRow(query: string): Promise<string[]> {
  const [row] = await test.db.execute(sql.raw(query));
  return Object.values(must(row, "a row")).map(String);
}

describe("an export", () => {
  it("goes on where a stopped one ended, and writes each full day once", async () => {
    const stop = new AbortController();
    let seen = 0;
    const first = await run({
      signal: stop.signal,
      onFile: () => {
        if ((seen += 1) === 5) stop.abort();
      },
    });
    expect(first).toBe(6);
    expect(await run()).toBe(5 * 3 * 2 - 6 + 3 * 2);
    expect(await run()).toBe(3 * 2);
    const { files } = await readManifest(folder);
    expect(files.filter(({ dataset }) => dataset === "prices").map(({ day }) => day)).toEqual(
      [10, 11, 12, 13, 14].flatMap((day) => [`2026-01-${day}`, `2026-01-${day}`]),
    );
    for (const { file, bytes, sha256 } of files) {
      const content = await readFile(join(folder, file));
      expect([file, content.length]).toEqual([file, bytes]);
      expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
    }
  });

  it("says which days are full, and on which day of the marketplace's calendar the present state was written", async () => {
    const other = join(inject("runDir"), "exports-at-night");
    const told: (readonly string[])[] = [];
    const night = { folder: other, clock: clockAt("2026-01-14T18:00:00Z") };
    await run({ ...night, from: lastDay, onDays: (days) => told.push(days) });
    await run({ ...night, from: "2026-01-15", onDays: (days) => told.push(days) });
    expect(told).toEqual([[lastDay], []]);
    const { files } = await readManifest(other);
    expect(files.find(({ dataset }) => dataset === "shops")?.day).toBe("2026-01-15");
  });

  it("writes again what was lost or cut short", async () => {
    await run();
    await rm(join(folder, "calls-2026-01-11.csv"));
    await writeFile(join(folder, "prices-2026-01-12.parquet"), "PAR1");
    expect(await run()).toBe(2 + 3 * 2);
  });

  it("writes a day's calls again after calls of other zones were made in it, or were answered late", async () => {
    const other = join(inject("runDir"), "exports-late");
    const file = "calls-2026-01-14.parquet";
    const counts = () => duckRow(`select count(*)::int, sum(created) from '${other}/${file}'`);
    const night = { folder: other, formats: ["parquet"] as const, from: lastDay };
    await run({ ...night, clock: clockAt("2026-01-14T17:00:00Z") });
    expect(await counts()).toEqual(["7", "28"]);
    await test.db.execute(sql`
      insert into api_call (day, account, purpose, operation, job, params, reserved_at, finished_at, outcome, created)
      values (${lastDay}, 'west', 'discovery', 'search', 'discover', '{"q":"財布"}', '2026-01-14T19:00:00Z',
        '2026-01-14T19:00:01Z', 'ok', 5)`);
    expect(await run(night)).toBe(1 + 3);
    expect(await counts()).toEqual(["8", "33"]);
    expect(await run(night)).toBe(3);
    await test.db.execute(sql`delete from api_call where account = 'west'`);
  });

  it.each(["parquet", "csv"])(
    "is read by DuckDB from %s with the sums of Postgres",
    async (format) => {
      await run();
      const files = (name: string) => `'${folder}/${name}.${format}'`;
      expect(
        await duckRow(`select count(*)::int, sum(price), count(proper_price)::int, sum(stock),
        sum(epoch_ms(first_seen::timestamptz)) from ${files("price_changes-*")}`),
      ).toEqual(
        await pgRow(`select count(*) as a, sum(price)::text as b, count(proper_price) as c, sum(stock)::text as d,
        sum((extract(epoch from first_seen) * 1000)::bigint)::text as e
        from price_interval where first_seen < '2026-01-15T00:00:00+09'`),
      );
      expect(
        await duckRow(
          `select count(*)::int, sum(price), count(distinct day)::int from ${files("prices-*")}`,
        ),
      ).toEqual(
        await pgRow(`select count(*) as a, sum(price)::text as b, count(distinct day) as c from analytics.price_daily
        where confirmed and day <= '${lastDay}'`),
      );
      expect(
        await duckRow(`select count(*)::int, sum(created), sum(returned) from ${files("calls-*")}`),
      ).toEqual(
        await pgRow(
          `select count(*) as a, sum(created) as b, sum(returned) as c from api_call where day <= '${lastDay}'`,
        ),
      );
      expect(
        await duckRow(
          `select count(*)::int, sum(price), min(title), sum(in_stock::int), max(gtins)::varchar from ${files("products")}`,
        ),
      ).toEqual(
        await pgRow(`select count(*) as a, sum(price)::text as b, min(title) as c, sum(in_stock::int) as d, max(gtins[1]) as e
        from analytics.products`),
      );
    },
  );

  it("tells DuckDB that times are instants, whatever the zone of its session is", async () => {
    await run();
    await duck.run("set TimeZone = 'Asia/Tokyo'");
    const first = (format: string) =>
      duckRow(
        `select typeof(first_seen), epoch_ms(first_seen::timestamptz) from '${folder}/price_changes-2026-01-10.${format}' limit 1`,
      );
    const wanted = ["TIMESTAMP WITH TIME ZONE", String(Date.parse("2026-01-10T02:00:00Z"))];
    const read = [await first("parquet"), await first("csv")];
    await duck.run("reset TimeZone");
    expect(read).toEqual([wanted, wanted]);
  });

  it("writes files with all columns and no rows for a day on which nothing happened", async () => {
    const other = join(inject("runDir"), "exports-empty");
    await test.db.execute(
      sql`update shop set first_seen_at = '2026-01-08T00:00:00Z' where shop_id = (select min(shop_id) from shop)`,
    );
    await run({ folder: other, to: "2026-01-09" });
    expect(await duckRow(`select count(*)::int from '${other}/prices-2026-01-09.parquet'`)).toEqual(
      ["0"],
    );
    expect(await readFile(join(other, "prices-2026-01-09.csv"), "utf8")).toBe(
      "item_id,day,confirmed_at,price,proper_price,stock\n",
    );
  });
});

describe("a CSV file", () => {
  it("B33: has no cell that a spreadsheet runs as a formula, and leaves numbers alone", async () => {
    const other = join(inject("runDir"), "exports-formulas");
    const formulas = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "\r=1", "＝1+1"];
    const harmless = ["-5", "+81.5", "革=財布", "1-2"];
    const before = await test.db.execute<{ item_id: number }>(sql`
      select item_id from product order by item_id limit ${formulas.length + harmless.length}`);
    const titles = [...formulas, ...harmless];
    for (const [i, { item_id: id }] of before.entries()) {
      await test.db.execute(
        sql`update product set title = ${titles[i] ?? ""} where item_id = ${id}`,
      );
    }
    await run({ folder: other, formats: ["csv", "parquet"], to: "2026-01-09" });
    const csv = await duck.runAndReadAll(
      `select title, price from read_csv('${other}/products.csv', header = true, delim = ',', quote = '"',
        escape = '"', all_varchar = true) order by item_id::bigint limit ${titles.length}`,
    );
    const rows = csv.getRowsJson();
    expect(rows.map(([title]) => title)).toEqual([
      ...formulas.map((text) => `'${text}`),
      ...harmless,
    ]);
    const parquet = await duck.runAndReadAll(
      `select title, price::varchar from '${other}/products.parquet' order by item_id limit ${titles.length}`,
    );
    const raw = parquet.getRowsJson();
    expect(raw.map(([title]) => title)).toEqual(titles);
    expect(rows.map(([, price]) => price)).toEqual(raw.map(([, price]) => price));
  });
});

describe("GET /ops/v1/exports", () => {
  it("lists finished files and hands them out to who has the token", async () => {
    await run();
    const api = createTestApi(test.db, { clock, exportsDir: folder });
    const file = "prices-2026-01-12.parquet";
    expect((await api.get("/ops/v1/exports")).status).toBe(401);
    expect((await api.get(`/ops/v1/exports/${file}`)).status).toBe(401);
    const list = (await (await api.ops("GET", "/ops/v1/exports")).json()) as {
      files: { file: string; bytes: number }[];
    };
    expect(list).toEqual(await readManifest(folder));
    const response = await api.ops("GET", `/ops/v1/exports/${file}`);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const content = Buffer.from(await response.arrayBuffer());
    expect(content.equals(await readFile(join(folder, file)))).toBe(true);
    expect(response.headers.get("Content-Length")).toBe(String(content.length));
  });

  it("hands out the former files until all of their formats are written anew", async () => {
    const other = join(inject("runDir"), "exports-half");
    await run({ folder: other, from: lastDay });
    const api = createTestApi(test.db, { clock, exportsDir: other });
    const path = "/ops/v1/exports/products.parquet";
    const before = Buffer.from(await (await api.ops("GET", path)).arrayBuffer());
    await test.db.execute(sql`update product set title = title || '*' where item_id = 1`);
    await mkdir(join(other, "products.csv.part"));
    await expect(run({ folder: other, from: lastDay })).rejects.toThrow("EISDIR");
    const after = await api.ops("GET", path);
    expect(after.status).toBe(200);
    expect(Buffer.from(await after.arrayBuffer()).equals(before)).toBe(true);
  });

  it("goes on with a broken download", async () => {
    const api = createTestApi(test.db, { clock, exportsDir: folder });
    const path = "/ops/v1/exports/prices-2026-01-12.csv";
    const whole = Buffer.from(await (await api.ops("GET", path)).arrayBuffer());
    const headers = authorised;
    const rest = await api.get(path, { ...headers, Range: "bytes=10-" });
    expect(rest.status).toBe(206);
    expect(rest.headers.get("Content-Range")).toBe(`bytes 10-${whole.length - 1}/${whole.length}`);
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(10))).toBe(true);
    expect((await api.get(path, { ...headers, Range: `bytes=${whole.length}-` })).status).toBe(416);
    const changed = await api.get(path, { ...headers, Range: "bytes=10-", "If-Range": '"other"' });
    expect(changed.status).toBe(200);
  });

  it("opens nothing that the manifest does not name", async () => {
    const api = createTestApi(test.db, { clock, exportsDir: folder });
    for (const name of [
      "manifest.json",
      "..%2Fops-token",
      "%2e%2e%2fops-token",
      "prices-2026-01-12.csv.part",
    ])
      expect([name, (await api.ops("GET", `/ops/v1/exports/${name}`)).status]).toEqual([name, 404]);
  });

  it("is empty before the first export", async () => {
    const api = createTestApi(test.db, { clock });
    expect(await (await api.ops("GET", "/ops/v1/exports")).json()).toEqual({
      version: 1,
      files: [],
    });
  });
});
