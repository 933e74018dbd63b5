import { beforeAll, describe, expect, it } from "vitest";
import { clockAt } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { exampleItem, exampleProduct } from "../support/product-example.ts";
import { searchItem } from "../support/products.ts";

const { test, api } = apiForAll({ clock: clockAt("2026-01-01T01:00:00.000Z") });

beforeAll(async () => {
  await storeItems(test.db, "2026-01-01T00:53:10.000Z", [
    exampleItem,
    searchItem(1, { stock: 0 }),
    searchItem(2, { categories: [] }),
    searchItem(3, { categories: ["財布", "財布"] }),
  ]);
  await removeItem(test.db, "2026-01-01T00:58:00.000Z", 2);
});

const headers = { "Content-Type": "application/json" };
const lookUp = (body: unknown) =>
  api.request("/v1/products/lookup", {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("POST /v1/products/lookup", () => {
  it("answers in the order asked, each id once, with what was not found and why", async () => {
    const response = await lookUp({ item_ids: [3, 100003, 999, 3, 2, 1, 999] });
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({
      items: [
        expect.objectContaining({ item_id: 3 }),
        exampleProduct,
        expect.objectContaining({ item_id: 1 }),
      ],
      not_found: [999, 2],
      gone: [{ item_id: 2, gone_at: "2026-01-01T00:58:00Z" }],
    });
  });

  it("takes up to 200 ids, and none", async () => {
    const ids = Array.from({ length: 201 }, (_, i) => i + 1);
    expect((await lookUp({ item_ids: ids.slice(0, 200) })).status).toBe(200);
    expect((await lookUp({ item_ids: ids })).status).toBe(400);
    expect(await (await lookUp({ item_ids: [] })).json()).toEqual({
      items: [],
      not_found: [],
      gone: [],
    });
  });

  it("names the faults of the address and of the body at once, and what method it answers", async () => {
    const path = "/v1/products/lookup";
    for (const [body, faults] of [
      ['{"item_ids":[0],"x":1}', ["y", "item_ids.0", "x"]],
      ['{"item_ids":[1]}', ["y"]],
      ["{", ["y"]],
    ] as const) {
      const answer = await api.request(`${path}?y=1`, { method: "POST", headers, body });
      const { errors } = (await answer.json()) as { errors: { parameter: string }[] };
      expect([answer.status, errors.map(({ parameter }) => parameter)]).toEqual([400, faults]);
    }
    for (const address of [path, "/v1/offers/lookup"]) {
      for (const method of ["GET", "PUT"]) {
        const answer = await api.request(address, { method });
        expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
      }
    }
  });

  it.each([
    [{}, ["item_ids"]],
    [{ item_ids: 5 }, ["item_ids"]],
    [{ item_ids: [0, 1, "2", 2.5, null, 1e300] }, [0, 2, 3, 4, 5].map((i) => `item_ids.${i}`)],
    [{ item_ids: [1], fields: [] }, ["fields"]],
    [{ item_ids: [1], include: ["lows", "groups", 3] }, ["include.1", "include.2"]],
    [[], ["body"]],
  ])("A1: refuses %j, naming every fault", async (body, faults) => {
    const response = await lookUp(body);
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { parameter: string }[] };
    expect([...new Set(errors.map(({ parameter }) => parameter))]).toEqual(faults);
  });

  it("A7: refuses what is no JSON, and bodies larger than any list of ids", async () => {
    expect((await lookUp("{")).status).toBe(400);
    expect((await lookUp(`{"item_ids":[${" ".repeat(20_000)}]}`)).status).toBe(413);
  });
});

describe("POST /v1/products/lookup with lows and offers", () => {
  it("carries the members of the history and of the offers of each product", async () => {
    const body = { item_ids: [100003, 1, 3, 2], include: ["offers", "lows"] };
    const { items } = (await (await lookUp(body)).json()) as { items: Carried[] };
    expect(items.map(({ item_id: id }) => id)).toEqual([100003, 1, 3]);
    for (const item of items) {
      const own = async <T>(path: string): Promise<T> =>
        (await api.get(`/v1/products/${item.item_id}/${path}`)).json() as Promise<T>;
      const { offers, coverage } = await own<{ offers: unknown; coverage: unknown }>("offers");
      const { lows } = await own<{ lows: unknown }>("history");
      expect(item).toMatchObject({ lows, offers, offers_coverage: coverage });
    }
  });

  it("carries only what was asked for", async () => {
    const ask = async (include: string[]) => {
      const response = await lookUp({ item_ids: [1], include });
      return Object.keys(((await response.json()) as { items: object[] }).items[0] ?? {});
    };
    expect(await ask(["lows"])).toContain("lows");
    expect(await ask(["lows"])).not.toContain("offers");
    expect(await ask([])).not.toContain("lows");
  });
});

interface Carried {
  item_id: number;
}

describe("GET /v1/categories", () => {
  it("counts the products of each category as plain SQL would, gone ones left out", async () => {
    const response = await api.get("/v1/categories?per_page=2");
    expect(await response.json()).toEqual({
      found: 2,
      page: 1,
      per_page: 2,
      items: [
        { category: "バッグ", products: 2, in_stock: 1 },
        { category: "財布", products: 2, in_stock: 1 },
      ],
    });
    const second = await api.json<object>("/v1/categories?page=2&per_page=1");
    expect(second).toMatchObject({ items: [{ category: "財布" }] });
  });
});
