import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { readSnapshotManifest } from "../../src/export/manifest.ts";
import { publishSnapshot } from "../../src/export/snapshots.ts";
import { must } from "../../src/lib/must.ts";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { publishProducts } from "../../src/service/worker/public-exports.ts";
import { clockAt, createTestApi } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { itLong } from "../support/it-long.ts";

const PRODUCTS = 1000;
const running = new AbortController().signal;
const test = openedForAll(createTestDb);
let folder: string;
let folders = 0;

beforeAll(async () => {
  for (let from = 1; from <= PRODUCTS; from += 500) {
    const items = Array.from({ length: 500 }, (_, i) =>
      searchItem(from + i, {
        title: `財布 "${from + i}",\n二行目`,
        price: 9_007_199_254_000_000 + i,
        properPrice: i % 5 === 0 ? null : 5000,
      }),
    );
    await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  }
  await removeItem(test.db, "2026-01-01T01:00:00Z", 700);
});
beforeEach(() => {
  folder = join(inject("runDir"), `snapshots-${(folders += 1)}`);
});

const publish = (at: string, over: { keep?: number; signal?: AbortSignal } = {}) =>
  publishProducts({
    db: test.db,
    market: createMarket(defaultMarket),
    clock: clockAt(at),
    folder,
    keep: 3,
    signal: running,
    ...over,
  });

const day = (n: number) => `2026-01-0${n}T05:13:00Z`;

describe("a public snapshot", () => {
  it("has every product that lives, as the API shows it, in both files and in the manifest", async () => {
    await publish(day(2));
    const [snapshot] = (await readSnapshotManifest(folder)).snapshots;
    expect(snapshot).toMatchObject({ made_at: "2026-01-02T05:13:00.000Z", rows: PRODUCTS - 1 });
    for (const { file, bytes, sha256 } of must(snapshot, "a snapshot").files) {
      const content = await readFile(join(folder, file));
      expect([file, content.length]).toEqual([file, bytes]);
      expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
    }
    const lines = gunzipSync(await readFile(join(folder, "products-20260102T051300Z.jsonl.gz")))
      .toString()
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(PRODUCTS - 1);
    const api = createTestApi(test.db, { clock: clockAt(day(2)) });
    const { age_s: _, ...shown } = await api.json<Record<string, unknown>>("/v1/products/7");
    expect(JSON.parse(lines[6] ?? "")).toEqual(shown);

    const duck = await (await DuckDBInstance.create(":memory:")).connect();
    const parquet = await duck.runAndReadAll(`
      select count(*)::int, sum(price)::varchar, count(proper_price)::int, count(distinct item_id)::int,
        min(title), bool_and(in_stock), min(shop->>'shop_id'), min(variations->0->>'barcode'), min(checked_at)
      from '${join(folder, "products-20260102T051300Z.parquet")}'`);
    const [sums] = await test.db.execute<{ price: string; proper: number }>(sql`
      select sum(price)::text as price, count(proper_price) as proper from product where state <> 'gone'`);
    expect(parquet.getRowsJson()[0]).toEqual([
      PRODUCTS - 1,
      sums?.price,
      sums?.proper,
      PRODUCTS - 1,
      '財布 "1",\n二行目',
      true,
      "shop-1",
      "4901234567894",
      "2026-01-01T00:00:00Z",
    ]);
  });

  itLong("replaces the oldest ones, and what a killed run has left", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "products-20250101T000000Z.parquet.part"), "PAR1");
    await writeFile(join(folder, "of-somebody-else.txt"), "stays");
    for (const n of [1, 2, 3, 4]) await publish(day(n), { keep: 2 });
    expect((await readdir(folder)).toSorted()).toEqual([
      "manifest.json",
      "of-somebody-else.txt",
      "products-20260103T051300Z.jsonl.gz",
      "products-20260103T051300Z.parquet",
      "products-20260104T051300Z.jsonl.gz",
      "products-20260104T051300Z.parquet",
    ]);
    const { snapshots } = await readSnapshotManifest(folder);
    expect(snapshots.map(({ made_at: at }) => at.slice(0, 10))).toEqual([
      "2026-01-04",
      "2026-01-03",
    ]);
  });

  it("that is stopped or fails leaves what is published as it was", async () => {
    await publish(day(1));
    const before = await readdir(folder);
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(publish(day(2), { signal: stopped })).rejects.toThrow("stopped");
    const failing = (reserveBytes: number) =>
      publishSnapshot({
        clock: clockAt(day(2)),
        folder,
        columns: [],
        keep: 3,
        reserveBytes,
        signal: running,
        withState: (work) =>
          work({
            cursor: "x",
            async *pages() {
              yield [{ item_id: 1 }];
              throw new Error("the database ended");
            },
          }),
      });
    await expect(failing(0)).rejects.toThrow("the database ended");
    await expect(failing(Number.MAX_SAFE_INTEGER)).rejects.toThrow("the disk has less than");
    expect(await readdir(folder)).toEqual(before);
    expect((await readSnapshotManifest(folder)).snapshots).toHaveLength(1);
  });
});

describe("GET /exports", () => {
  it("hands the files out to everybody, whole and in parts, for caches to keep", async () => {
    await publish(day(2));
    const api = createTestApi(test.db, { publicExportsDir: folder });
    const listed = await api.get("/exports/manifest.json");
    expect(listed.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const manifest = await readSnapshotManifest(folder);
    expect(await listed.json()).toEqual(manifest);
    for (const { file, bytes, sha256, format } of manifest.snapshots[0]?.files ?? []) {
      const path = `/exports/${file}`;
      const whole = await api.get(path);
      expect(whole.headers.get("Content-Type")).toBe(
        format === "parquet" ? "application/vnd.apache.parquet" : "application/gzip",
      );
      expect(whole.headers.get("Cache-Control")).toContain("immutable");
      expect(whole.headers.get("Content-Length")).toBe(String(bytes));
      expect(whole.headers.get("Content-Encoding")).toBeNull();
      const content = Buffer.from(await whole.arrayBuffer());
      expect(content.equals(await readFile(join(folder, file)))).toBe(true);
      const part = await api.get(path, { Range: "bytes=5-9" });
      expect(part.status).toBe(206);
      expect(part.headers.get("Content-Range")).toBe(`bytes 5-9/${bytes}`);
      expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(5, 10))).toBe(true);
      const same = await api.get(path, { "If-None-Match": `"${sha256}"` });
      expect(same.status).toBe(304);
      const head = await api.request(path, { method: "HEAD" });
      expect([head.status, head.headers.get("Content-Length")]).toEqual([200, String(bytes)]);
      expect(await head.text()).toBe("");
    }
  });

  it("opens nothing that the manifest does not name", async () => {
    await publish(day(2));
    const api = createTestApi(test.db, { publicExportsDir: folder });
    await writeFile(join(folder, "products-20260101T000000Z.parquet"), "unpublished");
    for (const name of [
      "products-20260101T000000Z.parquet",
      "..%2Fops-token",
      "%2e%2e%2fops-token",
      "manifest.json.part",
    ]) {
      expect([name, (await api.get(`/exports/${name}`)).status]).toEqual([name, 404]);
    }
    await rm(join(folder, "products-20260102T051300Z.parquet"));
    const lost = "/exports/products-20260102T051300Z.parquet";
    for (const method of ["GET", "HEAD"]) {
      expect([method, (await api.request(lost, { method })).status]).toEqual([method, 404]);
    }
    const page = await api.get(lost, { Accept: "text/html", "Accept-Language": "en" });
    expect(await page.text()).toContain("There is no such file");
  });

  it("is empty before the first snapshot, and 404 where none are published", async () => {
    const waiting = createTestApi(test.db, { publicExportsDir: folder });
    expect(await (await waiting.get("/exports/manifest.json")).json()).toEqual({
      version: 1,
      snapshots: [],
    });
    const off = createTestApi(test.db);
    for (const path of ["/exports/manifest.json", "/exports/products.parquet"]) {
      const response = await off.get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: "no_public_exports" });
    }
  });
});
