import { describe, expect, it } from "vitest";
import { must } from "../../lib/must.ts";
import { createCatalog } from "../catalogue/catalog.ts";
import { createGenerator } from "../catalogue/generate.ts";
import type { SandboxItem } from "../catalogue/item.ts";
import {
  createSearchIndex,
  parseFields,
  parseSort,
  recommendedSort,
  searchableFields,
} from "./search.ts";

const template = must(createGenerator(1).catalog(1)[0], "an item");

function item(id: number, fields: Partial<SandboxItem> = {}): SandboxItem {
  const plain = { title: "品", detail: "", categories: [], shop_name: "店", order_count: 0 };
  return { ...template, ...plain, visible: 1, item_id: id, ...fields };
}

function find(
  items: SandboxItem[],
  q: string,
  fields = parseFields("shop_name,title,detail,categories"),
) {
  const index = createSearchIndex(createCatalog(items));
  const query = { q, fields: fields ?? [], sort: recommendedSort, shopId: null };
  return index.find(query).map((found) => found.item_id);
}

describe("createSearchIndex", () => {
  it("finds keywords whatever their width and case", () => {
    const items = [item(1, { title: "ﾊﾝﾄﾞﾒｲﾄﾞ ＡＢＣ１２３" }), item(2, { title: "革財布" })];
    expect(find(items, "ハンドメイド")).toEqual([1]);
    expect(find(items, "abc123")).toEqual([1]);
    expect(find(items, "財布")).toEqual([2]);
  });

  it("needs every keyword, in whatever field, also after a full-width space", () => {
    const items = [
      item(1, { title: "革財布", detail: "青" }),
      item(2, { title: "革財布", detail: "赤" }),
    ];
    expect(find(items, "革　青")).toEqual([1]);
    expect(find(items, "革 青 赤")).toEqual([]);
  });

  it("does not match across two fields and searches only the fields asked for", () => {
    const items = [item(1, { title: "革財", detail: "布", categories: ["小物"] })];
    expect(find(items, "財布")).toEqual([]);
    expect(find(items, "小物", ["title", "detail"])).toEqual([]);
    expect(find(items, "小物", ["categories"])).toEqual([1]);
  });

  it("never finds hidden products", () => {
    expect(find([item(1, { visible: 0 }), item(2)], "品")).toEqual([2]);
  });

  it("recommends what sells best, then the lower id", () => {
    const items = [item(3), item(1, { order_count: 5 }), item(2), item(4, { order_count: 9 })];
    expect(find(items, "品")).toEqual([4, 1, 2, 3]);
  });

  it("follows every change of the catalogue", () => {
    const catalog = createCatalog([item(1)]);
    const index = createSearchIndex(catalog);
    const query = { q: "品", fields: searchableFields, sort: recommendedSort, shopId: null };
    expect(index.find(query)).toHaveLength(1);
    catalog.put(item(2));
    expect(index.find(query)).toHaveLength(2);
    catalog.put(item(2, { title: "別" }));
    expect(index.find(query)).toHaveLength(1);
    catalog.remove(1);
    expect(index.find(query)).toEqual([]);
  });
});

describe("parseSort", () => {
  it("reads a list of columns and directions", () => {
    expect(parseSort("order_count desc,item_id asc")).toEqual([
      { column: "order_count", direction: "desc" },
      { column: "item_id", direction: "asc" },
    ]);
  });

  it.each(["", "price", "price up", "title asc", "price asc,", "price asc desc", "PRICE ASC"])(
    "refuses %j",
    (text) => {
      expect(parseSort(text)).toBeNull();
    },
  );
});

describe("parseFields", () => {
  it("refuses a column that cannot be searched", () => {
    expect(parseFields("title,detail")).toEqual(["title", "detail"]);
    expect(parseFields("title,price")).toBeNull();
    expect(parseFields("")).toBeNull();
  });
});
