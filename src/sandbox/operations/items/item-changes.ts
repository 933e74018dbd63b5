import { z } from "zod";
import { given } from "../../../lib/given.ts";
import { imageKey, imageSizes, imageSlots } from "../../../storefront/wire.ts";
import { itemLimits } from "../../assumptions.ts";
import { sumStock } from "../../catalogue/generate.ts";
import type { SandboxItem, SandboxVariation } from "../../catalogue/item.ts";
import type { Ids } from "../../state/journal.ts";
import { done, oneItem, ownItem, revise, showItem } from "../bodies.ts";
import { operationsOf } from "../operation.ts";
import { assumed, id, whole, written, refusal, assumedList } from "../parameters.ts";

const list = z.array(z.string()).max(itemLimits.variations);

/** `variation[0]` and `variation_stock[0]` are of the same variation. */
const variationLists = {
  variation: assumedList(list, "names of the variations"),
  variation_stock: assumedList(list, "their stock; empty: 0, or as it was"),
  variation_identifier: assumedList(list, "their kind codes; empty: none, or as it was"),
  barcode: assumedList(list, "their JAN/GTIN; empty: none, or as it was"),
};

const variationIds = assumedList(list, "which variations are meant; empty: a new one");

const rowFields = {
  variation_id: id.optional(),
  variation: written(1, itemLimits.nameChars).optional(),
  variation_stock: whole(0, itemLimits.stock).optional(),
  variation_identifier: written(1, itemLimits.identifierChars).optional(),
  barcode: z
    .string()
    .regex(/^(\d{8}|\d{12,14})$/)
    .optional(),
};
const row = z.object(rowFields);

type Lists = { [K in keyof typeof rowFields]?: readonly string[] };

/** The lists that make variations, and the other fields. */
function splitVariations<T extends Lists>(input: T): [Lists, Omit<T, keyof Lists>] {
  const {
    variation_id = [],
    variation = [],
    variation_stock = [],
    variation_identifier = [],
    barcode = [],
    ...fields
  } = input;
  return [{ variation_id, variation, variation_stock, variation_identifier, barcode }, fields];
}

/** The variations after the call: those with an id are changed, those without one are added. Throws `bad_params`. */
function mergeVariations(
  present: readonly SandboxVariation[],
  lists: Lists,
  ids: Ids,
): SandboxVariation[] {
  const merged = [...present];
  for (const { variation_id, ...set } of readRows(lists)) {
    const index = merged.findIndex((v) => v.variation_id === variation_id);
    const before = merged[index];
    if (variation_id !== undefined && !before) throw refusal("variation_id");
    if (before) {
      merged[index] = { ...before, ...given(set) };
      continue;
    }
    const { variation, variation_stock = 0, variation_identifier = null, barcode = null } = set;
    if (variation === undefined) throw refusal("variation");
    merged.push({
      variation_id: ids.next("variation"),
      variation,
      variation_stock,
      variation_identifier,
      barcode,
    });
  }
  if (merged.length > itemLimits.variations) throw refusal("variation");
  return merged;
}

/** One row per number; numbers without values are left out. */
function readRows(lists: Lists): z.infer<typeof row>[] {
  const all = Object.entries(lists);
  const count = Math.max(0, ...all.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      all.flatMap(([name, values]) => (values[i] ? [[name, values[i]] as const] : [])),
    ),
  )
    .filter((texts) => Object.keys(texts).length > 0)
    .map((texts) => {
      const result = row.safeParse(texts);
      if (!result.success) throw refusal(String(result.error.issues[0]?.path[0]));
      return result.data;
    });
}

const title = written(1, itemLimits.titleChars);
const price = whole(0, itemLimits.price);
const stock = whole(0, itemLimits.stock);
/** An empty text removes the value. */
const cleared = z.literal("").transform(() => null);

const optionalFields = {
  detail: assumed(written(0, itemLimits.detailChars).optional(), "description"),
  proper_price: assumed(
    cleared.or(price).optional(),
    "regular price, tax included; empty takes it away",
  ),
  stock: assumed(stock.optional(), "stock count; follows the variations where there are any"),
  visible: assumed(
    whole(0, 1)
      .pipe(z.literal([0, 1]))
      .optional(),
    "1 = shown, 0 = hidden",
  ),
  list_order: assumed(whole(0, 1_000_000).optional(), "display order"),
  identifier: assumed(
    cleared.or(written(1, itemLimits.identifierChars)).optional(),
    "product code; empty takes it away",
  ),
  ...variationLists,
};

const slot = z.string().transform(Number).pipe(z.literal(imageSlots));
const place = {
  item_id: assumed(id, "the product"),
  image_no: assumed(slot, "slot, 1 to 5"),
};

const operation = operationsOf("items");

/** All that changes products, their images and variations. */
export const itemChangeOperations = [
  operation("POST /1/items/add", "create a product", {
    parameters: {
      title: assumed(title, "product name"),
      price: assumed(price, "price, tax included"),
      ...optionalFields,
    },
    answer: oneItem,
    run(input, call) {
      const [lists, fields] = splitVariations(input);
      const { market, shop } = call;
      const variations = mergeVariations([], lists, market.ids);
      const { shop_id, shop_name, shop_url } = shop;
      const item: SandboxItem = {
        detail: "",
        proper_price: null,
        stock: 0,
        visible: 1,
        list_order: 1,
        identifier: null,
        ...given(fields),
        title: fields.title,
        price: fields.price,
        item_id: market.newItemId(),
        modified: market.nowSeconds(),
        variations,
        shop_id,
        shop_name,
        shop_url,
        categories: [],
        order_count: 0,
        images: {},
      };
      if (variations.length > 0) item.stock = sumStock(variations);
      market.catalog.put(item);
      return showItem(item);
    },
  }),
  operation("POST /1/items/edit", "update a product", {
    parameters: {
      item_id: assumed(id, "the product; what is not sent stays as it is"),
      title: assumed(title.optional(), "product name"),
      price: assumed(price.optional(), "price, tax included"),
      ...optionalFields,
      variation_id: variationIds,
    },
    answer: oneItem,
    run({ item_id, ...input }, call) {
      const [lists, fields] = splitVariations(input);
      const item = ownItem(call, item_id);
      const variations = mergeVariations(item.variations, lists, call.market.ids);
      const set = { ...given(fields), variations };
      if (variations.length > 0) set.stock = sumStock(variations);
      return showItem(revise(call, item, set));
    },
  }),
  operation("POST /1/items/delete", "delete a product", {
    parameters: { item_id: assumed(id, "the product") },
    answer: done,
    run({ item_id }, call) {
      call.market.catalog.remove(ownItem(call, item_id).item_id);
      return { result: true };
    },
  }),
  operation("POST /1/items/add_image", "add a product image", {
    parameters: {
      ...place,
      image_url: assumed(
        written(1, 2_000).refine(isHttpsUrl),
        "https address of the image; it is not fetched. The other sizes follow later",
      ),
    },
    answer: oneItem,
    run({ item_id, image_no, image_url }, call) {
      const item = ownItem(call, item_id);
      const others = withoutImage(item.images, image_no);
      const images = { ...others, [imageKey(image_no, "origin")]: image_url };
      return showItem(revise(call, item, { images }));
    },
  }),
  operation("POST /1/items/delete_image", "delete a product image", {
    parameters: place,
    answer: oneItem,
    run({ item_id, image_no }, call) {
      const item = ownItem(call, item_id);
      if (item.images[imageKey(image_no, "origin")] === undefined) throw refusal("image_no");
      return showItem(revise(call, item, { images: withoutImage(item.images, image_no) }));
    },
  }),
  operation("POST /1/items/edit_stock", "update stock count", {
    parameters: {
      item_id: assumed(id, "the product"),
      stock: assumed(stock.optional(), "its stock, when it has no variations"),
      variation_id: assumed(id.optional(), "the variation, when it has some"),
      variation_stock: assumed(stock.optional(), "the variation's stock"),
    },
    answer: oneItem,
    run({ item_id, stock, variation_id, variation_stock }, call) {
      const item = ownItem(call, item_id);
      if (item.variations.length === 0) {
        if (variation_id !== undefined) throw refusal("variation_id");
        if (stock === undefined) throw refusal("stock");
        return showItem(revise(call, item, { stock }));
      }
      if (!item.variations.some((v) => v.variation_id === variation_id)) {
        throw refusal("variation_id");
      }
      if (variation_stock === undefined) throw refusal("variation_stock");
      const variations = item.variations.map((v) =>
        v.variation_id === variation_id ? { ...v, variation_stock } : v,
      );
      return showItem(revise(call, item, { variations, stock: sumStock(variations) }));
    },
  }),
  operation("POST /1/items/delete_variation", "delete a variation", {
    parameters: {
      item_id: assumed(id, "the product"),
      variation_id: assumed(id, "the variation"),
    },
    answer: oneItem,
    run({ item_id, variation_id }, call) {
      const item = ownItem(call, item_id);
      const variations = item.variations.filter((v) => v.variation_id !== variation_id);
      if (variations.length === item.variations.length) throw refusal("variation_id");
      return showItem(revise(call, item, { variations, stock: sumStock(variations) }));
    },
  }),
];

function isHttpsUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

function withoutImage<T extends object>(images: T, no: (typeof imageSlots)[number]): Partial<T> {
  const gone = new Set<string>(imageSizes.map((size) => imageKey(no, size)));
  return Object.fromEntries(Object.entries(images).filter(([key]) => !gone.has(key))) as Partial<T>;
}
