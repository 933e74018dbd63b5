import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredProduct } from "../../catalog/products.ts";
import { compoundParts, discountPercent, toDocument } from "./document.ts";
import { toFacetKey } from "./facet-key.ts";

const at = new Date("2026-01-01T00:00:00Z");

function product(over: Partial<StoredProduct> = {}): StoredProduct {
  return {
    itemId: 100_003,
    ver: 1,
    state: "live",
    title: "手作りの革財布",
    detail: "牛革",
    price: 4200,
    properPrice: 5000,
    stock: 3,
    visible: 1,
    listOrder: 1,
    identifier: null,
    images: [],
    variations: [],
    categories: ["バッグ"],
    popularity: 7,
    modified: 1_700_000_000,
    firstSeenAt: at,
    checkedAt: at,
    changedAt: at,
    priceSince: at,
    deletedAt: null,
    attributes: null,
    shop: { shopId: "shop-1", shopName: "革工房", shopUrl: "https://shop-1.example.com/" },
    ...over,
  };
}

/** Any 16-bit units, so that lone surrogates, NUL and control characters occur. */
const anyText = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength, size: "max" })
    .map((units) => String.fromCharCode(...units));

const anyNumber = fc.oneof(fc.integer(), fc.double(), fc.constant(Number.NaN));

const anyProduct = fc
  .record({
    itemId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    title: anyText(1500),
    detail: anyText(9000),
    price: anyNumber,
    properPrice: fc.option(anyNumber),
    stock: anyNumber,
    identifier: fc.option(anyText(300)),
    categories: fc
      .array(anyText(300), { maxLength: 120, size: "max" })
      .map((names) => Array.from({ length: 10 }, () => names).flat()),
    modified: anyNumber,
    barcodes: fc.array(fc.option(anyText(60)), { maxLength: 300 }),
    shopName: anyText(300),
    shopId: anyText(300),
  })
  .map(({ barcodes, shopName, shopId, ...rest }) =>
    product({
      ...rest,
      variations: barcodes.map((barcode, i) => ({
        variation_id: i,
        variation: "",
        variation_stock: 1,
        variation_identifier: null,
        barcode,
      })),
      shop: { shopId, shopName, shopUrl: "" },
    }),
  );

describe("toDocument", () => {
  it("U11, M4: never throws, and gives well-formed JSON of bounded size for any product", () => {
    fc.assert(
      fc.property(anyProduct, fc.integer({ min: 1 }), (record, ver) => {
        const document = toDocument(record, ver);
        const json = JSON.stringify(document);
        expect(JSON.parse(json)).toEqual(document);
        expect(json.isWellFormed()).toBe(true);
        expect(json).not.toMatch(/\\u(d[89a-f]|0000)/i);
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(512 * 1024);
        expect(document).toMatchObject({ id: record.itemId, _ver: ver });
      }),
      { numRuns: 60 },
    );
  });

  it("says what is found, filtered and ranked, normalised where it is text", () => {
    const document = toDocument(
      product({
        title: "ｳｰﾙ100%のﾏﾌﾗｰ",
        categories: ["ﾊﾞｯｸﾞ", "小物"],
        attributes: {
          quantity: null,
          unit: null,
          pack: null,
          models: [],
          colours: ["black"],
          size: "xl",
          condition: "graded 9.5",
          edition: null,
        },
        variations: [
          {
            variation_id: 1,
            variation: "赤",
            variation_stock: 1,
            variation_identifier: null,
            barcode: "4901234567894",
          },
        ],
      }),
      7,
    );
    expect(document).toEqual({
      id: 100_003,
      _ver: 7,
      title: "ウール\t100%のマフラー",
      title_length: 11,
      accessory: false,
      variants: 0,
      words: ["100", "ウール", "ウール\t100", "マフラー", "4901234567894"],
      forms: ["wool", "羊毛", "マフラ"],
      category_text: "バッグ / 小物",
      shop_name: "革工房",
      identifier: null,
      gtins: ["04901234567894"],
      detail: "牛革",
      shop_id: "shop-1",
      categories: [toFacetKey("ﾊﾞｯｸﾞ"), toFacetKey("小物")],
      price: 4200,
      proper_price: 5000,
      discount_percent: 16,
      stock: 3,
      in_stock: true,
      on_sale: true,
      unit_price: null,
      condition: "graded",
      colours: ["black"],
      size: "xl",
      popularity: 7,
      modified: 1_700_000_000,
      first_seen: 1_767_225_600,
    });
  });

  it("has neither price nor reduction if the shop states no price", () => {
    expect(toDocument(product({ price: 0, properPrice: 5000 }), 1)).toMatchObject({
      price: null,
      proper_price: 5000,
      discount_percent: null,
      on_sale: false,
      unit_price: null,
    });
  });

  it("does not change if a check finds no change", () => {
    const checked = product({ checkedAt: new Date("2026-02-01T00:00:00Z") });
    expect(toDocument(checked, 1)).toEqual(toDocument(product(), 1));
  });
});

describe("discountPercent", () => {
  it.each([
    [4200, 5000, 16],
    [4999, 5000, 0],
    [5000, 5000, 0],
    [6000, 5000, 0],
    [100, null, 0],
    [0, 5000, 0],
  ])("of %s against %s is %s", (price, properPrice, percent) => {
    expect(discountPercent(price, properPrice)).toBe(percent);
  });
});

describe("compoundParts", () => {
  it.each([
    ["手作り万年筆ケース", ["手作り", "手作り万年筆", "万年筆", "万年筆ケース", "ケース"]],
    ["ウール100%のマフラー", ["ウール", "ウール100", "マフラー"]],
    ["帆布 トートバッグ A4", []],
    ["バファリン 40錠", ["40錠"]],
    ["「万年筆」", ["万年筆"]],
    ["Leather wallet", []],
  ])("of %s are %j", (text, parts) => {
    expect(compoundParts(text, 64)).toEqual(parts);
  });

  it("are no more than asked for", () => {
    expect(compoundParts("手作り万年筆ケース", 3)).toHaveLength(3);
  });
});
