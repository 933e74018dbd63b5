import { createRoute } from "@hono/zod-openapi";
import { readOffersOfMany } from "../../catalog/offer-batches.ts";
import { coverOffers, readOffers, toOwnOffer, type OfferRecord } from "../../catalog/offers.ts";
import { readProduct, type ProductRecord } from "../../catalog/products.ts";
import type { Db } from "../../db/open.ts";
import { answer } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { offersSchema, toOffers, withoutAges, type OffersBody } from "./offer-schema.ts";
import { booleanParam, gtinParam, integerParam } from "../http/parameters.ts";
import { badRequest, notFound, unavailable } from "../http/problem.ts";
import { requireProduct, productParams } from "./product.ts";
import { gtin14sOf } from "./to-product.ts";
import { createRoutes, refuseFaults, strict } from "../http/validation.ts";
import { json } from "../http/schema-parts.ts";

const query = strict({
  in_stock: booleanParam().optional().openapi({
    description: "true leaves out offers that are out of stock; otherwise they come last",
  }),
  max_age_s: integerParam(0, 1_000_000_000).optional().openapi({
    description: "`coverage` says how many were checked within this time; all are shown",
  }),
});

const params = strict({ gtin: gtinParam() });

const byGtinRoute = createRoute({
  method: "get",
  path: "/v1/offers/{gtin}",
  operationId: "getOffersByGtin",
  tags: ["offers"],
  summary: "Every shop's offers for one barcode",
  description: "JAN, EAN, UPC or GTIN of 8, 12, 13 or 14 digits. An unknown barcode has no offers.",
  request: { params, query },
  responses: {
    200: { description: "Offers, cheapest in stock first", content: json(offersSchema) },
    ...badRequest,
    ...unavailable,
  },
});

const ofProductRoute = createRoute({
  method: "get",
  path: "/v1/products/{item_id}/offers",
  operationId: "getProductOffers",
  tags: ["offers"],
  summary: "The same product across shops, also for deleted products",
  request: { params: productParams, query },
  responses: {
    200: { description: "Offers, cheapest in stock first", content: json(offersSchema) },
    ...badRequest,
    ...notFound,
    ...unavailable,
  },
});

export function offerRoutes({
  db,
  clock,
  demand,
  market,
}: Pick<ApiDeps, "db" | "clock" | "demand" | "market">) {
  const toBody = (
    matched: readonly OfferRecord[],
    gtin14s: readonly string[],
    params: { in_stock?: boolean | undefined; max_age_s?: number | undefined },
  ) =>
    toOffers(coverOffers(matched, { inStockOnly: params.in_stock === true }), {
      gtin14s,
      maxAgeSeconds: params.max_age_s ?? null,
      market,
      now: clock.now(),
    });
  return createRoutes()
    .openapi(
      byGtinRoute,
      async (c) => {
        const gtin14s = [c.req.valid("param").gtin];
        const body = toBody(await readOffers(db, gtin14s), gtin14s, c.req.valid("query"));
        demand.shown([...new Set(body.offers.map((offer) => offer.item_id))]);
        return answer(c, body, withoutAges(body));
      },
      (result, c) => refuseFaults(result, params.safeParse(c.req.param())),
    )
    .openapi(
      ofProductRoute,
      async (c) => {
        const { item_id: itemId } = c.req.valid("param");
        const product = requireProduct(await readProduct(db, itemId));
        demand.opened(itemId);
        const { matched, gtin14s } = await readMatched(db, product);
        const body = toBody(matched, gtin14s, c.req.valid("query"));
        demand.shown([...new Set(body.offers.map((offer) => offer.item_id))]);
        return answer(c, body, withoutAges(body));
      },
      (result, c) => refuseFaults(result, productParams.safeParse(c.req.param())),
    );
}

async function readMatched(db: Db, product: ProductRecord) {
  const gtin14s = [...gtin14sOf(product)];
  const matched = gtin14s.length > 0 ? await readOffers(db, gtin14s) : [toOwnOffer(product)];
  return { matched, gtin14s };
}

/** A product's offers with the default parameters. */
export async function readProductOffers(
  { db, market }: Pick<ApiDeps, "db" | "market">,
  product: ProductRecord,
  now: Date,
): Promise<OffersBody> {
  const { matched, gtin14s } = await readMatched(db, product);
  const covered = coverOffers(matched, { inStockOnly: false });
  return toOffers(covered, { gtin14s, maxAgeSeconds: null, market, now });
}

/** The same for each of these products, in one statement and with fewer offers of each. */
export async function readOffersOfProducts(
  { db, market }: Pick<ApiDeps, "db" | "market">,
  products: readonly ProductRecord[],
  now: Date,
): Promise<OffersBody[]> {
  const sets = products.map((product) => [...gtin14sOf(product)]);
  const covered = await readOffersOfMany(db, sets);
  return products.flatMap((product, i) => {
    const gtin14s = sets[i] ?? [];
    const own = gtin14s.length > 0 ? covered[i] : ownOffer(product);
    return own ? [toOffers(own, { gtin14s, maxAgeSeconds: null, market, now })] : [];
  });
}

const ownOffer = (product: ProductRecord) =>
  coverOffers([toOwnOffer(product)], { inStockOnly: false });
