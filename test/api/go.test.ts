import { Registry } from "prom-client";
import { beforeAll, describe, expect, it } from "vitest";
import type { Click } from "../../src/catalog/visitors/clicks.ts";
import { clockAt, createTestApi, type TestApi } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { problemOf } from "../support/problem.ts";
import { searchItem } from "../support/products.ts";

const chrome = {
  "User-Agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
};
const test = openedForAll(createTestDb);
let api: TestApi;
let counted: (Click & { visitor: string })[] = [];

beforeAll(async () => {
  api = createTestApi(test.db, {
    clock: clockAt("2026-01-01T03:00:00.000Z"),
    clicks: {
      clicked(click, visitor) {
        counted.push({ ...click, visitor });
        return "counted";
      },
    },
  });
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
    searchItem(1),
    searchItem(2),
    searchItem(3, { shopId: "shop-2", shopUrl: "javascript:alert(1)//" }),
    searchItem(4, { shopId: "shop-3", shopUrl: "https://店.example/é/\r\nX-Evil: 1" }),
  ]);
  await removeItem(test.db, "2026-01-01T00:30:00.000Z", 2);
});

async function follow(path: string, headers: Record<string, string> = chrome, method = "GET") {
  counted = [];
  return api.request(path, { method, headers });
}

describe("GET /go/{item_id}", () => {
  it("leads to the product's page in its shop, and counts the click", async () => {
    const answer = await follow("/go/1?src=top10&utm_source=mail");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe("https://shop-1.example.com/items/1");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Referrer-Policy")).toBe("strict-origin");
    expect(answer.headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
    expect(answer.headers.get("Set-Cookie")).toBe(null);
    expect(counted).toEqual([{ itemId: 1, keyId: null, src: "top10", visitor: "client" }]);
    await follow("/go/1");
    expect(counted).toEqual([{ itemId: 1, keyId: null, src: null, visitor: "client" }]);
  });

  it("leads programs there too, and does not count them", async () => {
    for (const [headers, method] of [
      [{}, "GET"],
      [{ "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" }, "GET"],
      [{ ...chrome, "Sec-Purpose": "prefetch" }, "GET"],
      [chrome, "HEAD"],
    ] as const) {
      const answer = await follow("/go/1", headers, method);
      expect([answer.status, answer.headers.get("Location"), counted]).toEqual([
        302,
        "https://shop-1.example.com/items/1",
        [],
      ]);
    }
  });

  it("leads nowhere but to the product's own address, and not where it has none", async () => {
    const elsewhere = await follow("/go/1?url=https://evil.example/&to=//evil.example");
    expect(elsewhere.headers.get("Location")).toBe("https://shop-1.example.com/items/1");
    const none = await follow("/go/3");
    expect([none.status, (await problemOf(none)).code]).toEqual([404, "product_without_url"]);
    const written = (await follow("/go/4")).headers.get("Location");
    expect(written).toMatch(/^https:\/\/xn--[a-z0-9-]+\.example\/%C3%A9\/[\x21-\x7e]*items\/4$/);
    expect(counted).toHaveLength(1);
  });

  it("answers 404 for what was never seen, 410 for what is gone, and 400 naming every fault", async () => {
    expect((await follow("/go/99")).status).toBe(404);
    const gone = await follow("/go/2");
    expect([gone.status, await gone.json()]).toEqual([
      410,
      expect.objectContaining({ code: "product_gone", gone_at: "2026-01-01T00:30:00Z" }),
    ]);
    for (const src of ["", "a b", "x".repeat(33), "<b>", "é", "a&src=b"]) {
      const answer = await follow(`/go/1?src=${src}`);
      expect([src, answer.status]).toEqual([src, 400]);
    }
    const { errors } = await problemOf(await follow("/go/x?src=%20"));
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual(["item_id", "src"]);
    expect(counted).toEqual([]);
  });

  it("shows people who follow a dead link a page", async () => {
    const answer = await follow("/go/2", { ...chrome, Accept: "text/html" });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
      410,
      "text/html; charset=utf-8",
    ]);
    expect(await answer.text()).toContain("<h1>この商品は販売を終了しました</h1>");
  });

  it("tells the outcomes as a metric", async () => {
    const outcomes = ["counted", "repeated", "dropped"] as const;
    const left = [...outcomes];
    const counting = createTestApi(test.db, {
      registry: new Registry(),
      clicks: { clicked: () => left.shift() ?? "counted" },
    });
    const before = await (await counting.get("/metrics")).text();
    for (const outcome of [...outcomes, "automated"])
      expect(before).toContain(`kurabe_clicks_total{outcome="${outcome}"} 0`);
    for (const headers of [chrome, chrome, chrome, {}]) await counting.get("/go/1", headers);
    const metrics = await (await counting.get("/metrics")).text();
    for (const outcome of [...outcomes, "automated"]) {
      expect(metrics).toContain(`kurabe_clicks_total{outcome="${outcome}"} 1`);
    }
  });
});
