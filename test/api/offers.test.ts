import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import type { SearchItem } from "../../src/storefront/product.ts";
import { clockAt, createTestApi } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { searchItem, variation } from "../support/products.ts";

const jan = "4901234567894";
const otherJan = "4912345678904";
const { test, api } = apiForAll({ clock: clockAt("2026-01-01T01:00:00.000Z") });

const sized = (id: number, barcode: string | null, variation_stock: number) =>
  variation({ variation_id: id, variation: `サイズ: ${id}`, variation_stock, barcode });

function sold(itemId: number, shopId: string, over: Partial<SearchItem>): SearchItem {
  return searchItem(itemId, { shopId, shopName: `店 ${shopId}`, properPrice: null, ...over });
}

beforeAll(async () => {
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
    searchItem(1, { variations: [] }),
    sold(10, "shop-1", { price: 900, stock: 2, variations: [sized(1, jan, 2)] }),
    sold(11, "shop-2", {
      price: 800,
      stock: 5,
      variations: [sized(2, `49-01234 567894`, 4), sized(3, otherJan, 1)],
    }),
    sold(12, "shop-3", { price: 500, stock: 3, variations: [sized(4, jan, 0)] }),
    sold(13, "shop-4", { price: 0, stock: 3, variations: [sized(5, jan, 3)] }),
    sold(14, "shop-1", { price: 100, stock: 3, variations: [sized(6, jan, 3)] }),
    sold(15, "shop-5", { price: 700, stock: 0, variations: [sized(7, jan, 9)] }),
  ]);
  await storeItems(test.db, "2026-01-01T00:59:00.000Z", [
    sold(11, "shop-2", {
      price: 800,
      stock: 5,
      variations: [sized(2, jan, 4), sized(3, otherJan, 1)],
    }),
  ]);
  await removeItem(test.db, "2026-01-01T00:30:00.000Z", 14);
  await test.db.execute(sql`
    insert into product_attribute (item_id, models, colours, condition) values (11, '{}', '{}', 'used')`);
});

interface Body {
  match: { by: string; gtins: string[] } | null;
  match_note: string | null;
  coverage: Record<string, unknown>;
  offers: {
    item_id: number;
    price: number;
    in_stock: boolean;
    gtin: string | null;
    stock: number;
    variation: { variation_id: number } | null;
  }[];
  errors: { parameter: string; message: string }[];
}

const json = (path: string, status?: number) => api.json<Body>(path, status);

const rows = (body: Body) => body.offers.map((o) => [o.item_id, o.variation?.variation_id ?? null]);

describe("GET /v1/offers/{gtin}", () => {
  it("shows each shop's matching variations, cheapest in stock first, and what it leaves out", async () => {
    const body = await json(`/v1/offers/${jan}?max_age_s=600`);
    expect(body.match).toEqual({ by: "gtin", gtins: [jan] });
    expect(rows(body)).toEqual([
      [11, 2],
      [10, 1],
      [12, 4],
      [15, 7],
    ]);
    expect(body.coverage).toEqual({
      matched: 6,
      shown: 4,
      max_age_s: 600,
      checked_within: 1,
      oldest_s: 3600,
      left_out: { out_of_stock: 0, unknown_price: 1, gone: 1 },
      complete: true,
    });
  });

  it("answers every field of an offer", async () => {
    const { offers } = await json(`/v1/offers/${otherJan}`);
    expect(offers).toEqual([
      {
        item_id: 11,
        title: "手作りの革財布 11",
        shop: {
          shop_id: "shop-2",
          shop_name: "店 shop-2",
          shop_url: "https://shop-1.example.com/",
        },
        url: "https://shop-1.example.com/items/11",
        price: 800,
        currency: "JPY",
        proper_price: null,
        discount_percent: 0,
        unit_price: null,
        variation: { variation_id: 3, variation: "サイズ: 3", variation_identifier: null },
        gtin: otherJan,
        stock: 1,
        in_stock: true,
        condition: "used",
        match: { kind: "gtin", score: 1 },
        image: expect.objectContaining({ origin: "https://img.example.com/11.jpg", "76": null }),
        checked_at: "2026-01-01T00:59:00Z",
        age_s: 60,
      },
    ]);
  });

  it("leaves out what is out of stock when asked to: a sold-out product sells no variation", async () => {
    const body = await json(`/v1/offers/${jan}?in_stock=true`);
    expect(rows(body)).toEqual([
      [11, 2],
      [10, 1],
    ]);
    expect(body.coverage).toMatchObject({
      checked_within: null,
      left_out: { out_of_stock: 2, unknown_price: 1, gone: 1 },
    });
  });

  it("takes the same code in every length that says the same", async () => {
    const body = await json(`/v1/offers/0${jan}`);
    expect(body.match?.gtins).toEqual([jan]);
    expect(body.offers).toHaveLength(4);
  });

  it("has no offers for a code nobody sells", async () => {
    expect(await json("/v1/offers/49012347")).toMatchObject({
      match: { gtins: ["49012347"] },
      coverage: { matched: 0, oldest_s: null },
      offers: [],
    });
  });

  it.each([
    ["4901234567890", "check digit is 0, but for the digits before it that would be 4"],
    ["49012345", "check digit"],
    ["490123456789", "check digit"],
    ["49012", "8, 12, 13 or 14 digits; this has 5"],
    ["abc", "digits"],
  ])("A1: refuses %s and says why", async (gtin, why) => {
    const { errors } = await json(`/v1/offers/${gtin}?in_stock=maybe`, 400);
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual(["gtin", "in_stock"]);
    expect(errors.find(({ parameter }) => parameter === "gtin")?.message).toContain(why);
  });

  it("A11: has one ETag for the same offers however old they have grown meanwhile", async () => {
    const first = await api.get(`/v1/offers/${jan}`);
    const later = createTestApi(test.db, { clock: clockAt("2026-01-01T05:00:00.000Z") });
    const second = await later.get(`/v1/offers/${jan}`, {
      "If-None-Match": first.headers.get("ETag") ?? "",
    });
    expect(second.status).toBe(304);
  });
});

describe("GET /v1/products/{item_id}/offers", () => {
  it("finds the product in all shops by all of its barcodes", async () => {
    const body = await json("/v1/products/11/offers");
    expect(body.match?.gtins.toSorted()).toEqual([jan, otherJan]);
    expect(rows(body)).toEqual([
      [11, 2],
      [11, 3],
      [10, 1],
      [12, 4],
      [15, 7],
    ]);
  });

  it("has only the product itself where no barcode says what is the same, and says so", async () => {
    const body = await json("/v1/products/1/offers");
    expect(body).toMatchObject({
      match: null,
      match_note: expect.stringContaining("no valid GTIN"),
      coverage: { matched: 1, shown: 1 },
      offers: [{ item_id: 1, variation: null, gtin: null, stock: 3, in_stock: true }],
    });
  });

  it("still finds the others when the product itself is gone", async () => {
    const body = await json("/v1/products/14/offers");
    expect(rows(body)).toHaveLength(4);
    expect(body.coverage).toMatchObject({ left_out: { gone: 1 } });
    await json("/v1/products/999/offers", 404);
  });
});
