/** The attributes that front ends may filter and count by: their public name and their name in the index. */
export interface FilterAttribute {
  engine: string;
  type: "number" | "boolean" | "name" | "id";
}

export const filterAttributes: ReadonlyMap<string, FilterAttribute> = new Map([
  ["id", { engine: "id", type: "id" }],
  ["item_id", { engine: "id", type: "id" }],
  ["shop_id", { engine: "shop_id", type: "name" }],
  ["categories", { engine: "categories", type: "name" }],
  ["category", { engine: "categories", type: "name" }],
  ["gtins", { engine: "gtins", type: "name" }],
  ["in_stock", { engine: "in_stock", type: "boolean" }],
  ["on_sale", { engine: "on_sale", type: "boolean" }],
  ["price", { engine: "price", type: "number" }],
  ["discount_percent", { engine: "discount_percent", type: "number" }],
  ["stock", { engine: "stock", type: "number" }],
  ["popularity", { engine: "popularity", type: "number" }],
  ["modified", { engine: "modified", type: "number" }],
  ["first_seen", { engine: "first_seen", type: "number" }],
]);

export const facetNames: readonly string[] = [
  "shop_id",
  "categories",
  "category",
  "in_stock",
  "on_sale",
  "price",
  "discount_percent",
  "stock",
  "popularity",
];

export const sortNames: readonly string[] = [
  "price",
  "modified",
  "discount_percent",
  "popularity",
  "first_seen",
  "stock",
];

/** The texts of a product that are searched, with their names in the index. */
export const textNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["title", ["title", "words"]],
  ["detail", ["detail"]],
  ["shop_name", ["shop_name"]],
  ["categories", ["category_text"]],
  ["identifier", ["identifier"]],
  ["gtins", ["gtins"]],
]);
