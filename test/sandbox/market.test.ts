import { describe, expect, it } from "vitest";
import { z } from "zod";
import { images, payout } from "../../src/sandbox/assumptions.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createTestClock } from "../support/clock.ts";
import { itemWithVariations, ownerOf } from "./owner.ts";
import { anyItem, clientOf, start } from "./start.ts";

const anything = z.unknown();
const itemAnswer = z.object({ item: z.record(z.string(), z.unknown()) });
const orderAnswer = z.object({ order: z.object({ unique_key: z.string(), status: z.string() }) });
const ordersAnswer = z.object({ orders: z.array(z.object({ unique_key: z.string() })) });
const savingsAnswer = z.object({
  savings: z.array(
    z.object({
      status: z.string(),
      drawings: z.number(),
      transfer_charge: z.number(),
      order_count: z.number(),
    }),
  ),
});
const categoryAnswer = z.object({ category: z.object({ category_id: z.number() }) });

async function addedItem(owner: ReturnType<typeof ownerOf>, form: Record<string, string>) {
  const { item } = await owner.post("/1/items/add", form, itemAnswer);
  return Number(item["item_id"]);
}

describe("an owner's changes", () => {
  it("are what search and refresh show at once, and a deletion is", async () => {
    const sandbox = await start({ products: 20 });
    const owner = ownerOf(sandbox, "demo-1");
    const id = await addedItem(owner, { title: "見本の財布", price: "3000", stock: "2" });
    const client = clientOf(sandbox);
    const find = async () => (await client.search({ q: "見本市 財布" })).items;
    expect(await find()).toMatchObject([{ itemId: id, price: 3000, shopName: "見本市 一号店" }]);
    await owner.post("/1/items/edit", { item_id: String(id), visible: "0" }, anything);
    expect(await find()).toEqual([]);
    const asked = { shopId: "demo-1", itemIds: [id] };
    expect((await client.refresh(asked)).items).toHaveLength(1);
    await owner.post("/1/items/delete", { item_id: String(id) }, anything);
    expect((await client.refresh(asked)).items).toEqual([]);
  });

  it("leave what was not sent as it was, and move modified", async () => {
    const clock = createTestClock("2026-03-01T00:00:00Z");
    const sandbox = await start({ clock });
    const before = itemWithVariations(sandbox);
    const [first, ...others] = before.variations;
    const chosen = must(first, "a variation");
    await ownerOf(sandbox, before.shop_id).post(
      "/1/items/edit",
      {
        item_id: String(before.item_id),
        price: "1",
        "variation_id[0]": String(chosen.variation_id),
        "variation_stock[0]": "9",
        "variation[3]": "新色",
        "variation_stock[3]": "4",
      },
      anything,
    );
    const after = must(sandbox.catalog.get(before.item_id), "the product");
    expect(after).toMatchObject({ title: before.title, detail: before.detail, price: 1 });
    expect(after.modified).toBe(Date.parse("2026-03-01T00:00:00Z") / 1000);
    expect(after.variations).toEqual([
      { ...chosen, variation_stock: 9 },
      ...others,
      expect.objectContaining({ variation: "新色", variation_stock: 4, barcode: null }),
    ]);
    const stocks = after.variations.map((v) => v.variation_stock);
    expect(after.stock).toBe(stocks.reduce((a, b) => a + b));
  });

  it("of a category change its name on every product, and its deletion takes it off", async () => {
    const sandbox = await start({ products: 20 });
    const owner = ownerOf(sandbox, "demo-1");
    const item_id = String(await addedItem(owner, { title: "品", price: "1" }));
    const { category } = await owner.post("/1/categories/add", { name: "春" }, categoryAnswer);
    const category_id = String(category.category_id);
    await owner.post("/1/item_categories/add", { item_id, category_id }, anything);
    const held = () => sandbox.catalog.get(Number(item_id))?.categories;
    expect(held()).toEqual(["春"]);
    await owner.post("/1/categories/edit", { category_id, name: "夏" }, anything);
    expect(held()).toEqual(["夏"]);
    await expect(owner.post("/1/categories/add", { name: "夏" }, anything)).rejects.toThrow(
      /bad_params/,
    );
    await owner.post("/1/categories/delete", { category_id }, anything);
    expect(held()).toEqual([]);
  });
});

describe("images", () => {
  it("have only their original until the batch has resized them; modified does not move then", async () => {
    const clock = createTestClock();
    const sandbox = await start({ products: 20, clock });
    const owner = ownerOf(sandbox, "demo-1");
    const image_url = "https://img.example.com/mine.jpg";
    const ids = [
      await addedItem(owner, { title: "一", price: "1" }),
      await addedItem(owner, { title: "二", price: "1" }),
    ];
    for (const id of ids) {
      const form = { item_id: String(id), image_no: "2", image_url };
      await owner.post("/1/items/add_image", form, anything);
    }
    const bodies = () => ids.map((id) => must(sandbox.control.item(id), "the product"));
    const seen = bodies().map((body) => [body["img2_origin"], body["img2_640"]]);
    // Absent for odd ids, null for even ones: clients meet both.
    expect(seen).toContainEqual([image_url, null]);
    expect(seen).toContainEqual([image_url, undefined]);
    expect(
      bodies().every((body) => body["img1_origin"] === null && body["img1_640"] === null),
    ).toBe(true);
    const modified = bodies().map((body) => body["modified"]);
    await clock.advance((images.resizedAfterSeconds - 1) * 1000);
    sandbox.control.runBatches();
    expect(bodies().map((body) => body["img2_640"])).toEqual(seen.map(([, size]) => size));
    await clock.advance(1000);
    sandbox.control.runBatches();
    for (const body of bodies()) expect(body["img2_sp_480"]).toMatch(/^https:/);
    expect(bodies().map((body) => body["modified"])).toEqual(modified);
    await owner.post("/1/items/delete_image", { item_id: String(ids[0]), image_no: "2" }, anything);
    expect(bodies()[0]?.["img2_640"]).toBeNull();
  });
});

describe("an order", () => {
  it("lowers the stock, of the product and its variation, and raises order_count", async () => {
    const sandbox = await start();
    const item = itemWithVariations(sandbox);
    const variation = must(
      item.variations.find((v) => v.variation_stock > 3),
      "a variation",
    );
    const purchase = { itemId: item.item_id, variationId: variation.variation_id, quantity: 2 };
    sandbox.control.order(purchase);
    const after = must(sandbox.catalog.get(item.item_id), "the product");
    expect(after).toMatchObject({ stock: item.stock - 2, order_count: item.order_count + 1 });
    expect(after.variations).toContainEqual({
      ...variation,
      variation_stock: variation.variation_stock - 2,
    });
    const tooMany = variation.variation_stock - 1;
    expect(sandbox.control.order({ ...purchase, quantity: tooMany })).toBeNull();
    expect(sandbox.control.order({ itemId: item.item_id, quantity: 1 })).toBeNull();
    sandbox.control.hide(item.item_id);
    expect(sandbox.control.order({ ...purchase, quantity: 1 })).toBeNull();
  });

  it("gives its stock back when it is cancelled, and then stays as it is", async () => {
    const sandbox = await start();
    const item = itemWithVariations(sandbox);
    const [variation] = item.variations.filter((v) => v.variation_stock > 0);
    const order = must(
      sandbox.control.order({
        itemId: item.item_id,
        variationId: must(variation, "a variation").variation_id,
        quantity: 1,
      }),
      "an order",
    );
    const owner = ownerOf(sandbox, item.shop_id);
    const { unique_key } = order;
    const edit = (status: string) =>
      owner.post("/1/orders/edit_status", { unique_key, status }, orderAnswer);
    expect((await edit("cancelled")).order.status).toBe("cancelled");
    expect(sandbox.catalog.get(item.item_id)?.variations).toEqual(item.variations);
    await expect(edit("dispatched")).rejects.toThrow(/bad_params/);
    const { orders } = await owner.get("/1/orders", {}, ordersAnswer);
    expect(orders.map((one) => one.unique_key)).toEqual([unique_key]);
  });

  it("is paid out the day after it was dispatched, and transferred three days later", async () => {
    let now = new Date("2026-03-01T10:00:00Z");
    const clock: Clock = { ...systemClock, now: () => now };
    const sandbox = await start({ clock });
    const item = must(
      [...sandbox.catalog.items()].find(
        (one) => one.visible === 1 && one.variations.length === 0 && one.stock > 2,
      ),
      "a product in stock",
    );
    const owner = () => ownerOf(sandbox, item.shop_id);
    for (const status of ["dispatched", "dispatched", "ordered"]) {
      const order = must(sandbox.control.order({ itemId: item.item_id, quantity: 1 }), "an order");
      if (status === "ordered") continue;
      const form = { unique_key: order.unique_key, status };
      await owner().post("/1/orders/edit_status", form, anything);
    }
    const savings = async () => {
      sandbox.control.runBatches();
      return (await owner().get("/1/savings", {}, savingsAnswer)).savings;
    };
    expect(await savings()).toEqual([]);
    now = new Date("2026-03-01T15:00:00Z"); // midnight in Tokyo
    const expected = {
      drawings: 2 * item.price,
      transfer_charge: payout.transferCharge,
      order_count: 2,
    };
    expect(await savings()).toEqual([{ ...expected, status: "requested" }]);
    now = new Date(now.getTime() + payout.transferredAfterSeconds * 1000);
    expect(await savings()).toEqual([{ ...expected, status: "transferred" }]);
  });

  it("can be placed over the control interface", async () => {
    const sandbox = await start();
    const item = anyItem(sandbox);
    const post = (body: unknown) =>
      fetch(`${sandbox.url}/_control/orders`, { method: "POST", body: JSON.stringify(body) });
    sandbox.control.edit(item.item_id, { variations: [], stock: 1 });
    expect((await post({ item_id: item.item_id })).status).toBe(200);
    expect((await post({ item_id: item.item_id })).status).toBe(404);
    expect((await post({ item_id: "x" })).status).toBe(400);
  });
});
