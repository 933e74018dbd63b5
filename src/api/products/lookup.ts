import { z } from "@hono/zod-openapi";
import type { Market } from "../../catalog/market.ts";
import { maxOffersInBatch } from "../../catalog/offers.ts";
import { noLows, readLows } from "../../catalog/history/lows.ts";
import { readProducts, type ProductRecord } from "../../catalog/products.ts";
import { answerOnce, maxAnswerBytes } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import {
  publicRoute,
  instantSchema,
  jsonAnswer,
  requiredJson,
  createRoutes,
  strict,
} from "../http/route.ts";
import type { Lanes } from "../http/lanes.ts";
import { coverageSchema, offerSchema, toCoverage, toOffer } from "./offers/offer-schema.ts";
import { readOffersOfProducts } from "../../matching/group-offers.ts";
import { productSchema, lowsSchema, toLows } from "./product-schema.ts";
import { toIso } from "../http/to-members.ts";
import { toProduct } from "./to-product.ts";
import { bodyId } from "../http/parameters.ts";
import { boundedBody } from "../http/middleware/request-guards.ts";

const maxIds = 200;
const maxBodyBytes = 16_384;
const additions = ["lows", "offers"] as const;

const lookupSchema = strict({
  item_ids: z
    .array(bodyId(), "must be a list of ids")
    .max(maxIds, `must have at most ${maxIds} ids`)
    .openapi({ example: [100003, 100007] }),
  include: z
    .array(
      z.enum(additions, `must be one of: ${additions.join(", ")}`),
      `must be a list of: ${additions.join(", ")}`,
    )
    .optional()
    .openapi({
      description: `what items carry besides the product: lows as its history, offers (at most ${maxOffersInBatch} of each) as its offers`,
      example: ["lows", "offers"],
    }),
}).openapi("ProductLookup");

const lookedUpSchema = productSchema
  .extend({
    lows: lowsSchema.optional(),
    offers: z
      .array(offerSchema)
      .optional()
      .describe("the same product across shops, cheapest in stock first"),
    offers_coverage: coverageSchema.optional(),
  })
  .openapi("LookedUpProduct");

const foundSchema = z
  .object({
    items: z.array(lookedUpSchema).describe("in the requested order, each once"),
    not_found: z.array(z.int()).describe("ids without a product: never seen, or deleted"),
    gone: z
      .array(z.object({ item_id: z.int(), gone_at: instantSchema }))
      .describe("those of not_found that the shop has deleted, and when it was seen"),
  })
  .openapi("ProductLookupResult");

const route = publicRoute("post /v1/products/lookup", {
  operationId: "lookUpProducts",
  tags: ["products"],
  summary: "Many products at once, by id",
  description: `At most ${maxIds} ids in a body of ${maxBodyBytes} bytes, and ${maxAnswerBytes} bytes of answer; more is refused. Lookups wait for one another; if too many wait, the answer is 503.`,
  middleware: boundedBody(maxBodyBytes),
  request: { body: requiredJson(lookupSchema) },
  responses: { 200: jsonAnswer("What is known of each id", foundSchema) },
});

export function lookupRoutes(deps: ApiDeps, lanes: Lanes) {
  const { db, clock, demand, market, clientAddress } = deps;
  return createRoutes().openapi(route, async (c) => {
    const { item_ids: itemIds, include = [] } = c.req.valid("json");
    const ids = [...new Set(itemIds)];
    return lanes.lookup(clientAddress(c), async () => {
      const records = await readProducts(db, ids);
      const now = clock.now();
      const found = toFound(ids, records, market, now);
      const living = found.items.map(({ item_id: id }) => id);
      const [lows, offers] = await Promise.all([
        include.includes("lows") ? readLows(db, living, now) : null,
        include.includes("offers") ? readOffersOfProducts(db, living, maxOffersInBatch) : null,
      ]);
      for (const [i, item] of found.items.entries()) {
        if (lows) item.lows = toLows(lows.get(item.item_id) ?? noLows);
        const own = offers?.[i];
        if (own) {
          item.offers = own.offers.map((offer) => toOffer(offer, market, now));
          item.offers_coverage = toCoverage(own, item.offers, null);
        }
      }
      demand.shown([
        ...new Set(
          found.items.flatMap(({ item_id: id, offers: own = [] }) => [
            id,
            ...own.map((offer) => offer.item_id),
          ]),
        ),
      ]);
      return answerOnce(c, found);
    });
  });
}

function toFound(
  ids: readonly number[],
  records: ReadonlyMap<number, ProductRecord>,
  market: Market,
  now: Date,
): z.infer<typeof foundSchema> {
  const found: z.infer<typeof foundSchema> = { items: [], not_found: [], gone: [] };
  for (const id of ids) {
    const record = records.get(id);
    if (record && !record.deletedAt) {
      found.items.push(toProduct(record, market, now));
      continue;
    }
    found.not_found.push(id);
    if (record?.deletedAt) found.gone.push({ item_id: id, gone_at: toIso(record.deletedAt) });
  }
  return found;
}
