import { z } from "@hono/zod-openapi";
import type { FacetValue } from "../../search/query/query.ts";

export const facetValueSchema = z
  .object({ value: z.string(), count: z.int() })
  .openapi("FacetValue");

const label = z.string().openapi({ description: "the shop's name, at most 30 s old" });

export const shopValueSchema = facetValueSchema.extend({ label }).openapi("ShopFacetValue");

export const priceFacetSchema = z
  .object({
    min: z.number(),
    max: z.number(),
    histogram: z.array(z.object({ from: z.int(), to: z.int(), count: z.int() })).openapi({
      description:
        "at most ten adjoining ranges with both ends included, as in price_min and price_max; equal steps where all prices are within a factor of ten, growing ones otherwise. With `group` a row counts in each range in which it has an offer",
    }),
  })
  .openapi("PriceFacet", {
    example: {
      min: 300,
      max: 4200,
      histogram: [
        { from: 200, to: 499, count: 12 },
        { from: 500, to: 999, count: 40 },
        { from: 1000, to: 1999, count: 61 },
        { from: 2000, to: 4999, count: 20 },
      ],
    },
  });

/** A shop that is not known any more is called by its id. */
export function withLabel(
  shop: FacetValue,
  names: ReadonlyMap<string, string>,
): z.infer<typeof shopValueSchema> {
  return { ...shop, label: names.get(shop.value) ?? shop.value };
}
