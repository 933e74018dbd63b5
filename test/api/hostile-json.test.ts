import { beforeAll, describe, expect, it } from "vitest";
import type { SearchItem } from "../../src/storefront/product.ts";
import { clockAt, createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem, variation } from "../support/products.ts";

const jan = "4901234567894";
const good = "https://img.example.com/a.jpg";
const bad = [
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "\u0001JavaScript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "//evil.example.com/x",
  "",
];

function sold(itemId: number, url: string, over: Partial<SearchItem> = {}): SearchItem {
  return searchItem(itemId, {
    shopId: `shop-${itemId}`,
    shopUrl: url,
    price: 900,
    images: [{ origin: url, "300": good, sp_640: url }, { origin: good }, null, null, null],
    variations: [variation({ variation_id: itemId, variation: "色: 赤", barcode: jan })],
    ...over,
  });
}

const test = openedForAll(createTestDb);
let api: TestApi;
beforeAll(async () => {
  const items = [...bad, "http://shop.example.com/"].map((url, i) => sold(i + 1, url));
  const dearer = items.map((item) => ({ ...item, price: 1000 }));
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", dearer);
  await storeItems(test.db, "2026-01-01T00:30:00.000Z", items);
  await storeItems(test.db, "2026-01-01T00:30:00.000Z", [
    searchItem(50, { title: "革\uE000財\uE001布 <b>", detail: "\uE000x\uE001" }),
  ]);
  const ids = [...items.map(({ itemId }) => itemId), 50];
  api = createTestApi(test.db, {
    clock: clockAt("2026-01-01T01:00:00.000Z"),
    searchClient: {
      ask: async (queries) => ({
        indexUid: "products_1",
        answers: queries.map(() => ({ hits: ids.map((id) => ({ id })), processingTimeMs: 1 })),
      }),
      askAnew: async () => Promise.reject(new Error("not asked")),
      askFederated: async () => Promise.reject(new Error("not asked")),
      facetSearch: async () => Promise.reject(new Error("not asked")),
    },
  });
});

const post = (path: string, body: unknown) => api.post(path, body);

/** Every text of an answer, however deep. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

describe("what shops wrote, in JSON", () => {
  it("B28: has no address but of http and https, at any endpoint", async () => {
    const answers = [
      await api.get("/v1/products?per_page=100"),
      await api.get("/v1/products?group=gtin"),
      ...(await Promise.all(bad.map((_, i) => api.get(`/v1/products/${i + 1}`)))),
      ...(await Promise.all(bad.map((_, i) => api.get(`/v1/shops/shop-${i + 1}`)))),
      await api.get("/v1/products/1/offers"),
      await api.get(`/v1/offers/${jan}`),
      await api.get("/v1/shops"),
      await api.get("/v1/price-drops?since=2025-12-01"),
      await post("/v1/products/lookup", { item_ids: bad.map((_, i) => i + 1) }),
      await post("/meili/indexes/products/search", { q: "", attributesToHighlight: ["*"] }),
      await post("/meili/multi-search", { queries: [{ indexUid: "products", q: "" }] }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      const texts = textsOf(await answer.json());
      expect(texts.filter((text) => bad.includes(text) && text !== "")).toEqual([]);
    }
  });

  it("B28: says null in their place, and leaves what leads to the web as it was written", async () => {
    for (const [i] of bad.entries()) {
      expect(await api.json(`/v1/products/${i + 1}`)).toMatchObject({
        url: null,
        shop: { shop_url: null },
        images: [{ origin: null, "300": good, sp_640: null }, { origin: good }],
      });
    }
    expect(await api.json(`/v1/products/${bad.length + 1}`)).toMatchObject({
      url: `http://shop.example.com/items/${bad.length + 1}`,
      shop: { shop_url: "http://shop.example.com/" },
      images: [{ origin: "http://shop.example.com/" }, { origin: good }],
    });
    const answer = await post("/meili/indexes/products/search", { q: "" });
    const { hits } = (await answer.json()) as { hits: Record<string, unknown>[] };
    expect(hits[0]).toMatchObject({ url: null, currency: "JPY", shop_url: null });
  });

  it("B33: marks nothing by the characters that stand for marks", async () => {
    const found = await api.get("/v1/products?per_page=100");
    const { items } = (await found.json()) as {
      items: { item_id: number; highlights: { title: string } }[];
    };
    const odd = items.find((item) => item.item_id === 50);
    expect(odd?.highlights.title).toBe("革財布 &lt;b&gt;");
    for (const tags of [{}, { highlightPreTag: "__ais-highlight__", highlightPostTag: "__/x__" }]) {
      const answer = await post("/meili/indexes/products/search", {
        q: "革",
        attributesToHighlight: ["*"],
        ...tags,
      });
      const { hits } = (await answer.json()) as {
        hits: { id: number; _formatted: Record<string, unknown> }[];
      };
      const formatted = hits.find((hit) => hit.id === 50)?._formatted;
      const isHtml = !("highlightPreTag" in tags);
      expect(formatted?.title).toBe(isHtml ? "革財布 &lt;b&gt;" : "革財布 <b>");
      expect(formatted?.detail).toBe("x");
    }
  });
});
