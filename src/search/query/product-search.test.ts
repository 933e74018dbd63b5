import { describe, expect, it } from "vitest";
import { matches, toHighlightHtml } from "./product-search.ts";

describe("highlights", () => {
  it("W3: lets no markup of a shop through", () => {
    expect(toHighlightHtml(`<script>alert("1")</script>\uE000革\uE001'&`)).toBe(
      "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;<em>革</em>&#39;&amp;",
    );
  });
});

describe("restrictions", () => {
  it("are judged by the catalogue: every one of them must hold", () => {
    const record = {
      price: 100,
      properPrice: 120,
      stock: 0,
      categories: ["バッグ"],
      variations: [],
      checkedAt: new Date("2026-01-01T00:00:00Z"),
      shop: { shopId: "a", shopName: "", shopUrl: "" },
      attributes: {
        quantity: null,
        unit: null,
        pack: null,
        models: [],
        edition: null,
        colours: ["black", "blue"],
        size: "xl",
        condition: "graded 10",
      },
    };
    const now = new Date("2026-01-01T00:01:00Z");
    const page = { page: 1, perPage: 20 };
    const fits = [
      {},
      { priceMin: 100, priceMax: 100 },
      { inStock: false, onSale: true, maxAgeSeconds: 60 },
      { conditions: ["used", "graded"], colours: ["blue"], sizes: ["s", "xl"] },
      { shopIds: ["b", "a"], excludeShopIds: ["c"], categories: ["バッグ", "財布"] },
    ];
    const breaks = [
      { priceMin: 101 },
      { priceMax: 99 },
      { inStock: true },
      { onSale: false },
      { maxAgeSeconds: 59 },
      { shopIds: ["b"] },
      { excludeShopIds: ["a"] },
      { categories: ["財布"] },
      { conditions: ["used"] },
      { colours: ["red"] },
      { sizes: ["s"] },
      { gtins: ["04901234567894"] },
    ];
    for (const query of fits) expect(matches(record, { ...page, ...query }, now)).toBe(true);
    for (const query of breaks) expect(matches(record, { ...page, ...query }, now)).toBe(false);
    const unpriced = { ...record, price: 0 };
    for (const query of [{}, { onSale: false }]) {
      expect(matches(unpriced, { ...page, ...query }, now)).toBe(true);
    }
    for (const query of [{ priceMin: 0 }, { priceMax: 99 }, { onSale: true }]) {
      expect(matches(unpriced, { ...page, ...query }, now)).toBe(false);
    }
  });
});
