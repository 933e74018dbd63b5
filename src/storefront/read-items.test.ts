import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { must } from "../lib/must.ts";
import { readRefreshItems, readSearchItems } from "./read-items.ts";

const variation = {
  variation_id: 7,
  variation: "色: 赤",
  variation_stock: 2,
  variation_identifier: null,
  barcode: "4901234567894",
};

const item = {
  item_id: 100003,
  title: "手作りの革財布",
  detail: "詳細",
  price: 4200,
  proper_price: 5000,
  stock: 3,
  visible: 1,
  list_order: 2,
  identifier: null,
  img1_origin: "https://img.example.com/1.jpg",
  img1_76: "https://img.example.com/1-76.jpg",
  img1_146: null,
  img2_origin: null,
  modified: 1700000000,
  variations: [variation],
  shop_id: "shop-1",
  shop_name: "革工房",
  shop_url: "https://shop-1.example.com/",
  categories: ["バッグ"],
};

function search(...items: unknown[]) {
  return readText(JSON.stringify({ found: items.length, start: 0, items }));
}

function readText(text: string) {
  const { items }: { items: unknown[] } = JSON.parse(text);
  return readSearchItems(text, items);
}

describe("reading items", () => {
  it("maps every field of the specification", () => {
    expect(search(item)).toEqual({
      items: [
        {
          itemId: 100003,
          title: "手作りの革財布",
          detail: "詳細",
          price: 4200,
          properPrice: 5000,
          stock: 3,
          visible: 1,
          listOrder: 2,
          identifier: null,
          images: [
            { origin: "https://img.example.com/1.jpg", "76": "https://img.example.com/1-76.jpg" },
            null,
            null,
            null,
            null,
          ],
          modified: 1700000000,
          variations: [variation],
          shopId: "shop-1",
          shopName: "革工房",
          shopUrl: "https://shop-1.example.com/",
          categories: ["バッグ"],
        },
      ],
      broken: [],
      unknownFields: [],
      truncatedFields: 0,
    });
  });

  it.each([
    ["absent", undefined],
    ["null", null],
  ])("takes fields that a product can do without, and that are %s, as null or empty", (_, none) => {
    const optional = ["proper_price", "identifier", "variations", "categories", "detail"];
    const expected = ["shop_name", "shop_url", "list_order"];
    const without = Object.fromEntries([...optional, ...expected].map((name) => [name, none]));
    const [read] = search({ ...item, ...without }).items;
    expect(read).toMatchObject({
      shopName: "",
      shopUrl: "",
      listOrder: 0,
      properPrice: null,
      identifier: null,
      variations: [],
      categories: [],
      detail: "",
    });
  });

  it("leaves out categories without a name", () => {
    const categories = ["", "バッグ", " \u3000", "\u200b", "\0"];
    expect(search({ ...item, categories }).items[0]?.categories).toEqual(["バッグ"]);
  });

  it("reads a refresh item without the fields that only search has", () => {
    const text = JSON.stringify({ items: [item] });
    const page = readRefreshItems(text, [item]);
    expect(Object.keys(must(page.items[0], "the item"))).not.toContain("properPrice");
    expect(page.unknownFields).toEqual([
      "identifier",
      "list_order",
      "proper_price",
      "variations",
      "visible",
    ]);
  });

  it.each([
    ["a price in words", { price: "12,50" }, "price"],
    ["a negative price", { price: -1 }, "price"],
    ["a fractional price", { price: 0.1 + 0.2 }, "price"],
    ["an enormous price", { price: 1e12 + 1 }, "price"],
    ["a text id", { item_id: "7" }, "item_id"],
    ["a zero id", { item_id: 0 }, "item_id"],
    ["no stock", { stock: undefined }, "stock"],
    ["an unusable shop", { shop_id: "a\0b" }, "shop_id"],
    ["a shop id that no index can hold", { shop_id: "革".repeat(667) }, "shop_id"],
  ])("U8, U13: quarantines an item with %s and keeps its neighbours", (_, fault, field) => {
    const page = search(item, { ...item, ...fault }, item);
    expect(page.items).toHaveLength(2);
    expect(page.broken).toHaveLength(1);
    expect(page.broken[0]?.reason).toContain(field);
    expect(JSON.parse(must(page.broken[0], "the item").raw)).toMatchObject({ title: item.title });
  });

  const notTexts = [12, true, {}, [], [["a"]]];
  const notNumbers = ["12", "１２", "", 12.5, -1, 1e21, true, {}, [], [1]];
  const notLists = ["", "a", 12, true, {}, [[]], [{}], [null], [12]];

  it.each([
    ["detail", "detail", notTexts],
    ["shop_name", "shopName", notTexts],
    ["shop_url", "shopUrl", notTexts],
    ["identifier", "identifier", notTexts],
    ["proper_price", "properPrice", notNumbers],
    ["list_order", "listOrder", notNumbers.filter((value) => value !== -1)],
    ["modified", "modified", [...notNumbers, null, undefined, "2023-11-14T22:13:20Z"]],
    ["visible", "visible", [...notNumbers, null, undefined, 2]],
    ["categories", "categories", notLists],
    ["variations", "variations", [...notLists, [{ ...variation, barcode: 4901234567894 }]]],
  ])("U8, U15: keeps an item whose %s cannot be read, and says so", (name, field, values) => {
    for (const value of values) {
      const page = search({ ...item, [name]: value }, item);
      expect(page.broken).toEqual([]);
      const reason = expect.stringMatching(new RegExp(`^${name}.*its other fields are stored`));
      const raw = expect.stringContaining(item.title);
      const unreadable = { fields: [field], reason, raw };
      expect(page.items[0]).toMatchObject({ price: 4200, unreadable });
      expect(page.items[1]).not.toHaveProperty("unreadable");
    }
  });

  it("U13: quarantines a price that is no finite number and keeps its text", () => {
    const text = JSON.stringify({ items: [item] }).replace(":4200,", ":1e400,");
    expect(readText(text).broken[0]?.raw).toContain('"price":1e400');
    expect(readText(text.replace("1e400", "1200.0")).items[0]?.price).toBe(1200);
  });

  it.each([
    ["2147483648", true],
    ["9007199254740991", true],
    ["9007199254740992", false],
    ["9007199254740993", false],
    ["9223372036854775808", false],
  ])("U14: id %s is usable: %s; beyond 2^53 it is quarantined as sent", (id, usable) => {
    const page = readText(JSON.stringify({ items: [item] }).replace("100003", id));
    expect(page.items.map((i) => String(i.itemId))).toEqual(usable ? [id] : []);
    expect(page.broken.map((b) => b.raw.includes(`"item_id":${id}`))).toEqual(usable ? [] : [true]);
  });

  it("U8: takes an image size that is not a text as absent", () => {
    const page = search({ ...item, img1_76: 5, img3_origin: {}, img4_origin: "", img5_300: false });
    expect(page.items[0]?.images).toEqual([
      { origin: "https://img.example.com/1.jpg" },
      null,
      null,
      null,
      null,
    ]);
  });

  it("U9: tolerates unknown fields and names each once", () => {
    const page = search({ ...item, colour: "red" }, { ...item, colour: "blue", brand: null });
    expect(page.items).toHaveLength(2);
    expect(page.unknownFields).toEqual(["brand", "colour"]);
  });

  it("U27: is not fooled by prototype keys", () => {
    const text = JSON.stringify({ items: [item] }).replace(
      '"title"',
      '"__proto__":{"price":1},"constructor":null,"title"',
    );
    const page = readText(text);
    expect(page.items[0]).toMatchObject({ price: 4200 });
    expect(Object.getPrototypeOf(page.items[0])).toBe(Object.prototype);
    expect(page.unknownFields).toEqual(["__proto__", "constructor"]);
  });

  it("U10: strips NUL", () => {
    expect(search({ ...item, title: "革\0財布" }).items[0]?.title).toBe("革財布");
  });

  it("U11: every text it returns is well-formed, whatever 16-bit units were sent", () => {
    const units = fc
      .array(fc.integer({ min: 0, max: 0xffff }))
      .map((u) => String.fromCharCode(...u));
    fc.assert(
      fc.property(units, (text) => {
        const page = search({ ...item, title: text, categories: [text], identifier: text });
        const [read] = page.items;
        for (const out of [read?.title, read?.identifier, read?.categories[0] ?? ""]) {
          expect(out?.isWellFormed()).toBe(true);
          expect(out).not.toContain("\0");
        }
      }),
    );
  });

  it.each([
    ["title", 10_000],
    ["detail", 200_000],
    ["shop_name", 2_000],
  ])("U12: cuts %s at %i characters and counts it", (field, cap) => {
    for (const [length, cuts] of [
      [cap - 1, 0],
      [cap, 0],
      [cap + 1, 1],
    ] as const) {
      const page = search({ ...item, [field]: "あ".repeat(length) });
      expect(page.truncatedFields).toBe(cuts);
      expect(page.items).toHaveLength(1);
    }
    const split = search({ ...item, [field]: "あ".repeat(cap - 1) + "😀" });
    expect(JSON.stringify(split.items).isWellFormed()).toBe(true);
  });

  it("U12: keeps at most 64 KiB of an unreadable item", () => {
    const [broken] = search({ ...item, price: null, detail: "x".repeat(100_000) }).broken;
    expect(broken?.raw).toHaveLength(65_536);
    expect(broken?.itemId).toBe(100003);
  });

  it("U8: never throws and loses no item, however a reply is mutated", () => {
    const mutated = fc
      .tuple(fc.constantFrom(...Object.keys(item)), fc.anything({ withNullPrototype: true }))
      .map(([key, value]) => ({ ...item, [key]: value }));
    const sent = fc.array(fc.oneof(fc.constant(item), mutated, fc.jsonValue()), { maxLength: 8 });
    fc.assert(
      fc.property(sent, (items) => {
        const text = JSON.stringify({ items }, (_, value: unknown) =>
          typeof value === "bigint" ? String(value) : value,
        );
        const { items: parsed }: { items: unknown[] } = JSON.parse(text);
        for (const page of [readSearchItems(text, parsed), readRefreshItems(text, parsed)]) {
          expect(page.items.length + page.broken.length).toBe(items.length);
          for (const { raw } of page.broken) expect(parsed).toContainEqual(JSON.parse(raw));
        }
      }),
      { numRuns: 300 },
    );
  });
});
