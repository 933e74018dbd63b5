import { z } from "zod";
import { ApiError } from "../api-errors.ts";
import type { Catalog } from "../catalogue/catalog.ts";
import type { SandboxItem } from "../catalogue/item.ts";
import { type Journal, createRecords, type Ids } from "../state/journal.ts";

export const categoryRecord = z.object({
  category_id: z.int(),
  shop_id: z.string(),
  name: z.string(),
  list_order: z.int(),
});

type Category = z.infer<typeof categoryRecord>;

/**
 * Categories belong to a shop. A product contains their names, as search shows them. Each such name is
 * a category of the shop and gets its id when it is first requested.
 */
export function createCategories(
  journal: Journal,
  catalog: Catalog,
  ids: Ids,
  nowSeconds: () => number,
) {
  const records = createRecords(journal, "category", categoryRecord);
  const stored = (shopId: string) =>
    [...records.values()].filter((category) => category.shop_id === shopId);

  function keep(category: Category): Category {
    records.put(String(category.category_id), category);
    return category;
  }

  const drop = (category: Category) => records.remove(String(category.category_id));

  function named(shopId: string, name: string): Category {
    const known = stored(shopId);
    const list_order = known.length + 1;
    return (
      known.find((category) => category.name === name) ??
      keep({ category_id: ids.next("category"), shop_id: shopId, name, list_order })
    );
  }

  function replaceOnItems(shopId: string, name: string, by: string[]): void {
    for (const item of catalog.ofShop(shopId)) {
      if (!item.categories.includes(name)) continue;
      const categories = item.categories.flatMap((held) => (held === name ? by : [held]));
      catalog.put({ ...item, categories, modified: nowSeconds() });
    }
  }

  function ofShop(shopId: string): Category[] {
    const shown = new Set([...catalog.ofShop(shopId)].flatMap(({ categories }) => categories));
    for (const name of shown) named(shopId, name);
    return stored(shopId).toSorted(
      (a, b) => a.list_order - b.list_order || a.category_id - b.category_id,
    );
  }

  function refuseTaken(shopId: string, name: string): void {
    if (ofShop(shopId).some((category) => category.name === name)) {
      throw new ApiError("bad_params", "同じ名前のカテゴリがあります。");
    }
  }

  catalog.watch({ shopClosed: (shopId) => stored(shopId).forEach(drop) });

  return {
    ofShop,
    /** In the order of the product. */
    ofItem: (item: SandboxItem) => item.categories.map((name) => named(item.shop_id, name)),
    /** Throws `not_found`. */
    get(shopId: string, categoryId: number): Category {
      const category = records.get(String(categoryId));
      if (category?.shop_id !== shopId) throw new ApiError("not_found");
      return category;
    },
    /** Throws `bad_params` if the shop already has this name. */
    add(shopId: string, name: string, listOrder: number | undefined): Category {
      refuseTaken(shopId, name);
      const category = named(shopId, name);
      return listOrder === undefined ? category : keep({ ...category, list_order: listOrder });
    },
    /** Also renames it in all products. */
    edit(
      category: Category,
      set: { name?: string | undefined; list_order?: number | undefined },
    ): Category {
      const { shop_id } = category;
      const name = set.name ?? category.name;
      if (name !== category.name) {
        refuseTaken(shop_id, name);
        replaceOnItems(shop_id, category.name, [name]);
      }
      return keep({ ...category, name, list_order: set.list_order ?? category.list_order });
    },
    /** Also removes it from all products. */
    remove(category: Category): void {
      drop(category);
      replaceOnItems(category.shop_id, category.name, []);
    },
  };
}
