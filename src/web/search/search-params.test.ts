import { describe, expect, it } from "vitest";
import { hrefWith, hrefWithout, lastPage, readParams } from "./search-params.ts";

const asked = (text: string) => readParams(new URLSearchParams(text));

describe("the search an address asks for", () => {
  it("is that of the API under the same names, with what forms send empty left out", () => {
    const { query, params, unread } = asked(
      "q=革&category=財布&category=バッグ&price_min=100&price_max=&in_stock=true&utm_source=x&sort=",
    );
    expect(query).toMatchObject({
      q: "革",
      categories: ["財布", "バッグ"],
      priceMin: 100,
      inStock: true,
      sort: "relevance",
      page: 1,
    });
    expect(query).not.toHaveProperty("priceMax");
    expect(params.has("utm_source")).toBe(false);
    expect(unread).toEqual([]);
  });

  it("takes prices in full-width digits, and as people write them", () => {
    const { query, params, unread } = asked("price_min=１００&price_max=￥2，０００円");
    expect([query.priceMin, query.priceMax, unread]).toEqual([100, 2000, []]);
    expect(params.get("price_min")).toBe("100");
  });

  it("goes on without what cannot be read, and says so", () => {
    const { query, unread } = asked("q=革&price_min=cheap&page=0&gtin=123");
    expect(unread.toSorted()).toEqual(["gtin", "page", "price_min"]);
    expect(query).toMatchObject({ q: "革", page: 1, gtins: [] });
    const range = asked("price_min=9円&price_max=3");
    // What was typed stays in its field.
    expect([range.unread, range.typed]).toEqual([["price_min"], { price_min: "9円" }]);
    expect(asked("page=9999").unread).toEqual(["page"]);
  });

  it("has neighbours that keep everything else and begin at page 1", () => {
    const { params } = asked("q=a&category=b&category=c&page=3");
    expect(hrefWith(params, { sort: "price:asc" })).toBe(
      "/?q=a&category=b&category=c&sort=price%3Aasc",
    );
    expect(hrefWithout(params, "category", "b")).toBe("/?q=a&category=c");
    expect(hrefWith(asked("q=a").params, { q: null })).toBe("/?q=");
  });

  it("ends with the last page that can be asked for", () => {
    const { query } = asked("q=a");
    expect([lastPage(0, query), lastPage(25, query), lastPage(1_000_000, query)]).toEqual([
      1, 2, 416,
    ]);
  });
});
