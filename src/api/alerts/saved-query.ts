import { z } from "@hono/zod-openapi";
import { storedQuery, type SavedQuery } from "../../db/schema.ts";
import { given } from "../../lib/given.ts";
import { idParam } from "../http/parameters.ts";
import { productQuery } from "../products/search/product-query.ts";

const named = z.object({ item_id: idParam().optional(), group_id: idParam().optional() });

/** They are read from a title only after its change was judged. */
const notJudged = ["condition", "colour", "size"];

const known = Object.keys({ ...productQuery.shape, ...named.shape })
  .filter((name) => !notJudged.includes(name))
  .join(", ");

const texts = { type: "array", items: { type: "string" } } as const;

/**
 * The parameters of `GET /v1/products`, checked by its own schema, as JSON values or as the texts of an
 * address; and `item_id`, `group_id`. Those that only order or show what is found are accepted and left out.
 */
export const savedQueryInput = z
  .record(z.string(), z.unknown(), "must be an object of parameters")
  .transform((sent, ctx): SavedQuery => {
    const { item_id, group_id, ...others } = toTexts(sent);
    const products = named.safeParse({ item_id, group_id });
    const search = productQuery.safeParse(others);
    for (const { success, error } of [products, search]) {
      if (success) continue;
      for (const issue of error.issues) {
        if (issue.code !== "unrecognized_keys") {
          ctx.addIssue({ code: "custom", path: issue.path, message: issue.message });
          continue;
        }
        const message = `is not known here; known are: ${known}`;
        for (const key of issue.keys) ctx.addIssue({ code: "custom", path: [key], message });
      }
    }
    for (const name of notJudged.filter((each) => each in sent)) {
      const message = "restricts searches only: a saved search cannot have it";
      ctx.addIssue({ code: "custom", path: [name], message });
    }
    if (!products.success || !search.success) return z.NEVER;
    return { ...pickSearch(search.data), ...given(products.data) };
  })
  .openapi({
    type: "object",
    properties: {
      q: { type: "string", maxLength: 200 },
      shop_id: texts,
      exclude_shop_id: texts,
      category: texts,
      gtin: texts,
      price_min: { type: "integer", minimum: 0 },
      price_max: { type: "integer", minimum: 0 },
      in_stock: { type: "boolean" },
      on_sale: { type: "boolean" },
      item_id: { type: "integer", minimum: 1 },
      group_id: { type: "integer", minimum: 1 },
    },
    description:
      "the parameters of `GET /v1/products`, or item_id, group_id, gtin. Lists also as one value, numbers and booleans also as texts. Parameters that only order or show what is found (`sort`, `page`, `fields` and the like) are left out. Words: every one of them, whole, in one of the forms that a search knows (plural, units, spellings); near misses do not count. At least one of q, shop_id, category, gtin, price_min, price_max, item_id, group_id is needed",
    example: { q: "革財布", price_max: 8000, in_stock: true },
  });

/** As an address has them. Anything else is passed on, for the schema to refuse. */
function toTexts(given: Record<string, unknown>): Record<string, unknown> {
  const toText = (value: unknown) =>
    typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(toText) : toText(value),
    ]),
  );
}

type Search = z.output<typeof productQuery>;

function pickSearch(search: Search): SavedQuery {
  const { q, price_min, price_max, in_stock, on_sale } = search;
  const { shop_id, exclude_shop_id, category, gtin } = search;
  const lists = { shop_id, exclude_shop_id, category, gtin };
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return {
    ...given({ q: q === "" ? undefined : q, price_min, price_max, in_stock, on_sale }),
    ...Object.fromEntries(filled),
  };
}

export const savedQuerySchema = z.object(storedQuery.shape).openapi("SavedQuery");
