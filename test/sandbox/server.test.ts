import { describe, expect, it } from "vitest";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { anyItem, call, clientOf, start } from "./start.ts";

const search = "/1/search";
const refresh = "/1/search/refresh";

describe("the sandbox's search", () => {
  it("has the defaults of the specification: ten items from the start, as JSON", async () => {
    const sandbox = await start();
    const { status, type, body } = await call(sandbox, search, { q: "財布" });
    expect(status).toBe(200);
    expect(type).toBe("application/json; charset=utf-8");
    expect(body).toMatchObject({ start: 0, items: expect.any(Array) });
    expect((body as { items: unknown[] }).items).toHaveLength(10);
  });

  it("shows exactly the fields of section 2.1", async () => {
    const sandbox = await start();
    const { body } = await call(sandbox, search, { q: "財布", size: "1" });
    const [item] = (body as { items: Record<string, unknown>[] }).items;
    const names = Object.keys(must(item, "an item")).filter((name) => !name.startsWith("img"));
    expect(names.toSorted()).toEqual(
      "categories detail identifier item_id list_order modified price proper_price shop_id shop_name shop_url stock title variations visible".split(
        " ",
      ),
    );
  });

  it.each([
    ["no keywords", {}],
    ["blank keywords", { q: "　 " }],
    ["a size above 50", { q: "a", size: "51" }],
    ["no size", { q: "a", size: "0" }],
    ["a size in words", { q: "a", size: "ten" }],
    ["a negative start", { q: "a", start: "-1" }],
    ["an unknown sort column", { q: "a", sort: "title asc" }],
    ["an unknown direction", { q: "a", sort: "price up" }],
    ["an unknown field", { q: "a", fields: "title,price" }],
  ])("answers search_error with status 400 to %s", async (_, params) => {
    const sandbox = await start({ products: 20 });
    const { status, body } = await call(sandbox, search, params);
    expect(status).toBe(400);
    expect(body).toEqual({
      error: "search_error",
      error_description: expect.stringMatching(/。$/),
    });
  });

  it.each([
    [{ client_id: "other" }],
    [{ client_secret: "" }],
    [{ client_id: "", client_secret: "" }],
  ])("answers auth_error to the credentials %j, uncounted", async (wrong) => {
    const sandbox = await start({ products: 20 });
    for (const path of [search, refresh]) {
      expect(await call(sandbox, path, { q: "a", ...wrong })).toMatchObject({
        status: 400,
        body: { error: "auth_error" },
      });
    }
    expect(sandbox.control.calls.countedByDay()).toEqual({});
    expect(JSON.stringify(sandbox.control.calls.all())).not.toContain("client_");
  });

  it("is read by the client on every page, with no item broken, missed or repeated", async () => {
    const sandbox = await start({ products: 3000 });
    const client = clientOf(sandbox);
    const seen = new Set<number>();
    for (const q of sandbox.keywords) {
      const ofKeyword: number[] = [];
      for (let position = 0, found = 1; position < found; position += 50) {
        const page = await client.search({
          q,
          start: position,
          size: 50,
          sort: [{ column: "item_id", direction: "asc" }],
        });
        expect(page).toMatchObject({
          broken: [],
          unknownFields: [],
          truncatedFields: 0,
          start: position,
        });
        ofKeyword.push(...page.items.map((item) => item.itemId));
        found = must(page.found, "the number");
      }
      expect(ofKeyword).toEqual([...new Set(ofKeyword)].toSorted((a, b) => a - b));
      for (const id of ofKeyword) seen.add(id);
    }
    const visible = [...sandbox.catalog.items()].filter((item) => item.visible === 1);
    expect(seen).toEqual(new Set(visible.map((item) => item.item_id)));
  });

  it("restricts a search to one shop", async () => {
    const sandbox = await start();
    const { shop_id, shop_name } = anyItem(sandbox);
    const page = await clientOf(sandbox).search({ q: shop_name, shopId: shop_id, size: 50 });
    expect(page.items.length).toBeGreaterThan(0);
    expect(new Set(page.items.map((item) => item.shopId))).toEqual(new Set([shop_id]));
  });
});

describe("the sandbox's refresh", () => {
  it("leaves out deleted products, products of other shops and closed shops", async () => {
    const sandbox = await start();
    const client = clientOf(sandbox);
    const item = anyItem(sandbox);
    const other = must(
      [...sandbox.catalog.items()].find((i) => i.shop_id !== item.shop_id),
      "another shop",
    );
    const asked = { shopId: item.shop_id, itemIds: [item.item_id, other.item_id, 1] };
    expect((await client.refresh(asked)).items.map((i) => i.itemId)).toEqual([item.item_id]);
    sandbox.control.remove(item.item_id);
    expect((await client.refresh(asked)).items).toEqual([]);
    sandbox.control.removeShop(other.shop_id);
    const gone = await client.refresh({ shopId: other.shop_id, itemIds: [other.item_id] });
    expect(gone.items).toEqual([]);
  });

  it("returns hidden products, which search never finds", async () => {
    const sandbox = await start();
    const { item_id, shop_id, title } = anyItem(sandbox);
    sandbox.control.hide(item_id);
    const client = clientOf(sandbox);
    const found = await client.search({ q: title, shopId: shop_id, size: 50 });
    expect(found.items.map((i) => i.itemId)).not.toContain(item_id);
    expect((await client.refresh({ shopId: shop_id, itemIds: [item_id] })).items).toHaveLength(1);
  });

  it.each([
    ["no shop", { item_id: "1" }],
    ["no ids", { shop_id: "shop-1" }],
    ["ids that are no numbers", { shop_id: "shop-1", item_id: "1,x" }],
    ["51 ids", { shop_id: "shop-1", item_id: Array.from({ length: 51 }, (_, i) => i + 1).join() }],
  ])("answers bad_params to %s", async (_, params) => {
    const sandbox = await start({ products: 20 });
    expect(await call(sandbox, refresh, params)).toMatchObject({
      status: 400,
      body: { error: "bad_params" },
    });
  });
});

describe("the sandbox's daily limit", () => {
  it("counts both operations together and starts anew when the date changes in its time zone", async () => {
    let now = new Date("2026-03-01T14:59:58Z"); // 23:59:58 in Tokyo
    const clock: Clock = { ...systemClock, now: () => now };
    const sandbox = await start({ clock, dailyLimit: 2 });
    const refused = { status: 400, body: { error: "day_api_limit" } };
    expect((await call(sandbox, search, { q: "a" })).status).toBe(200);
    expect((await call(sandbox, refresh, { shop_id: "s", item_id: "1" })).status).toBe(200);
    expect(await call(sandbox, search, { q: "a" })).toMatchObject(refused);
    expect(await call(sandbox, refresh, { shop_id: "s", item_id: "1" })).toMatchObject(refused);
    now = new Date("2026-03-01T15:00:00Z");
    expect((await call(sandbox, search, { q: "a" })).status).toBe(200);
    expect(sandbox.control.calls.countedByDay()).toEqual({ "2026-03-01": 4, "2026-03-02": 1 });
  });
});
