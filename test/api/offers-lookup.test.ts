import { beforeAll, describe, expect, it } from "vitest";
import { maxOffersInBatch } from "../../src/catalog/offers.ts";
import { clockAt } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { searchItem, variation } from "../support/products.ts";

const jan = "4901234567894";
const crowded = "4912345678904";
const nobodys = "49012347";
const { test, api } = apiForAll({ clock: clockAt("2026-01-01T01:00:00.000Z") });

function sold(itemId: number, price: number, stock: number, barcode: string) {
  const only = variation({ variation_id: itemId, variation_stock: stock, barcode });
  return searchItem(itemId, { price, stock, variations: [only] });
}

beforeAll(async () => {
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
    sold(1, 900, 2, "4900000000016"),
    sold(10, 900, 2, jan),
    sold(11, 800, 0, jan),
    sold(12, 0, 3, jan),
    sold(13, 700, 3, jan),
    ...Array.from({ length: 30 }, (_, i) => sold(100 + i, 1000 - i, i % 3, crowded)),
  ]);
  await removeItem(test.db, "2026-01-01T00:30:00.000Z", 13);
});

const lookUp = (body: unknown) => api.post("/v1/offers/lookup", body);

interface Answer {
  items: { gtin: string; coverage: Record<string, unknown>; offers: { item_id: number }[] }[];
  not_found: string[];
}

describe("POST /v1/offers/lookup", () => {
  it("answers for each barcode what GET /v1/offers/{gtin} answers, as often as it is written differently", async () => {
    const response = await lookUp({ gtins: [nobodys, jan, `0${jan}`, jan] });
    expect([response.status, response.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    const one = await api.json<object>(`/v1/offers/${jan}`);
    expect(await response.json()).toEqual({
      items: [
        { gtin: jan, ...one },
        { gtin: `0${jan}`, ...one },
      ],
      not_found: [nobodys],
    });
  });

  it("shows the cheapest of many offers, and says that there are more", async () => {
    const { items } = (await (await lookUp({ gtins: [crowded] })).json()) as Answer;
    const whole = await api.json<Answer["items"][0]>(`/v1/offers/${crowded}`);
    expect(items[0]?.offers).toEqual(whole.offers.slice(0, maxOffersInBatch));
    expect(items[0]?.coverage).toMatchObject({ matched: 30, shown: 20, complete: false });
  });

  it("takes up to 200 barcodes, and none", async () => {
    expect((await lookUp({ gtins: Array.from({ length: 200 }, () => jan) })).status).toBe(200);
    expect((await lookUp({ gtins: Array.from({ length: 201 }, () => jan) })).status).toBe(400);
    expect(await (await lookUp({ gtins: [] })).json()).toEqual({ items: [], not_found: [] });
  });

  it("A1: names every barcode that cannot be one, by its place", async () => {
    const response = await lookUp({ gtins: [jan, "4901234567890", 4901234567894, "abc"], x: 1 });
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as {
      errors: { parameter: string; message: string }[];
    };
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual([
      "gtins.1",
      "gtins.2",
      "gtins.3",
      "x",
    ]);
    expect(errors[0]?.message).toContain("check digit is 0, but");
  });
});
