import { gtin14sOf } from "../../../catalog/gtin.ts";
import {
  readOffersOfGtins,
  maxOffers,
  onlyInStock,
  type Covered,
} from "../../../catalog/offers.ts";
import { readProduct, type ProductRecord } from "../../../catalog/products.ts";
import { readOffersOfProducts, readSimilar } from "../../../matching/group-offers.ts";
import { answer } from "../../http/answer.ts";
import type { ApiDeps } from "../../http/deps.ts";
import {
  offersSchema,
  productOffersSchema,
  toOffer,
  toOffers,
  withoutAges,
  type OffersBody,
  type ProductOffersBody,
} from "./offer-schema.ts";
import { booleanParam, gtinParam, integerParam } from "../../http/parameters.ts";
import { publicRoute, jsonAnswer, notFound, createRoutes, strict } from "../../http/route.ts";
import { requireProduct, productParams } from "../product.ts";
import { toGroup } from "../to-product.ts";

const query = strict({
  in_stock: booleanParam()
    .optional()
    .describe("true leaves out offers that are out of stock; otherwise they come last"),
  max_age_s: integerParam(0, 1_000_000_000)
    .optional()
    .describe("`coverage` says how many were checked within this time; all are shown"),
});

const params = strict({ gtin: gtinParam() });

const byGtinRoute = publicRoute("get /v1/offers/{gtin}", {
  operationId: "getOffersByGtin",
  tags: ["offers"],
  summary: "Every shop's offers for one barcode",
  description:
    "JAN, EAN, UPC or GTIN of 8, 12, 13 or 14 digits. An unknown barcode has no offers, nor has a number that shops give to goods of their own (GS1 prefixes 02, 04 and 2).",
  request: { params, query },
  responses: { 200: jsonAnswer("Offers, cheapest in stock first", offersSchema) },
});

const ofProductRoute = publicRoute("get /v1/products/{item_id}/offers", {
  operationId: "getProductOffers",
  tags: ["offers"],
  summary: "The same product across shops, also for deleted products",
  description:
    "Every product and variation with one of its barcodes, and the other members of its group; without those that people decided are different.",
  request: { params: productParams, query },
  responses: {
    200: jsonAnswer("Offers, cheapest in stock first", productOffersSchema),
    ...notFound,
  },
});

export function offerRoutes({ db, clock, demand, market }: ApiDeps) {
  const shown = (...lists: OffersBody["offers"][]) =>
    demand.shown([...new Set(lists.flat().map((offer) => offer.item_id))]);
  return createRoutes()
    .openapi(byGtinRoute, async (c) => {
      const gtin14s = [c.req.valid("param").gtin];
      const { in_stock: inStock, max_age_s: maxAgeSeconds = null } = c.req.valid("query");
      const covered = restricted(await readOffersOfGtins(db, gtin14s, maxOffers), inStock);
      const asked = { gtin14s, isGrouped: false, maxAgeSeconds, market, now: clock.now() };
      const body = toOffers(covered, asked);
      shown(body.offers);
      return answer(c, body, withoutAges(body));
    })
    .openapi(ofProductRoute, async (c) => {
      const { item_id: itemId } = c.req.valid("param");
      const product = requireProduct(await readProduct(db, itemId));
      demand.opened(itemId);
      const body = await readProductOffers({ db, market }, product, {
        now: clock.now(),
        ...c.req.valid("query"),
      });
      shown(body.offers, body.similar);
      return answer(c, body, withoutAges(body));
    });
}

function restricted([covered]: readonly Covered[], inStock: boolean | undefined): Covered {
  if (!covered) throw new Error("one place was asked for, and none was read");
  return inStock === true ? onlyInStock(covered) : covered;
}

/** A product's offers, and the products that are like it. */
export async function readProductOffers(
  { db, market }: Pick<ApiDeps, "db" | "market">,
  product: ProductRecord,
  asked: { now: Date; in_stock?: boolean | undefined; max_age_s?: number | undefined },
): Promise<ProductOffersBody> {
  const { now, in_stock: inStock, max_age_s: maxAgeSeconds = null } = asked;
  const ids = [product.itemId];
  const [covered, similar] = await Promise.all([
    readOffersOfProducts(db, ids, maxOffers),
    readSimilar(db, ids),
  ]);
  return {
    ...toOffers(restricted(covered, inStock), {
      gtin14s: [...gtin14sOf(product)],
      isGrouped: product.group !== null,
      maxAgeSeconds,
      market,
      now,
    }),
    group: toGroup(product.group),
    similar: similar.map((offer) => toOffer(offer, market, now)),
  };
}
