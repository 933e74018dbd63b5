import { z } from "@hono/zod-openapi";
import { availableOf, comparedOf, newOffersOf } from "../../../catalog/attributes.ts";
import { lowestOf, readLows } from "../../../catalog/history/lows.ts";
import { maxGroupOffers, readOffersOfGroup, readSimilar } from "../../../matching/group-offers.ts";
import { findGroup, readRepresentative } from "../../../matching/groups/groups.ts";
import { answer } from "../../http/answer.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { idParam } from "../../http/parameters.ts";
import { refuse } from "../../http/problems/problem.ts";
import {
  publicRoute,
  currencySchema,
  jsonAnswer,
  orNull,
  gone,
  notFound,
  createRoutes,
  strict,
  intOrNull,
} from "../../http/route.ts";
import {
  coverageSchema,
  offerSchema,
  similarSchema,
  toCoverage,
  toOffer,
  withoutAges,
} from "./offer-schema.ts";
import {
  imageSchema,
  lowestPriceText,
  lowestUsedPriceText,
  lowsSchema,
  toLows,
} from "../product-schema.ts";
import { toIso } from "../../http/to-members.ts";
import { toImage } from "../to-product.ts";

const groupSchema = z
  .object({
    group_id: z.int().openapi({ example: 512 }),
    title: z.string().describe("of its most popular product: text as the shop wrote it, not HTML"),
    image: orNull(imageSchema),
    currency: currencySchema,
    lowest_price: intOrNull(lowestPriceText),
    lowest_used_price: intOrNull(lowestUsedPriceText),
    lows: lowsSchema.describe(
      "lowest price of any of `offers` in each period that ends now, of those with a `condition` only if every one has one; null if none was seen",
    ),
    coverage: coverageSchema.describe(
      `\`complete\` is false if there are more than ${maxGroupOffers} offers; these are the cheapest in stock`,
    ),
    offers: z.array(offerSchema).describe("one per product, cheapest in stock first"),
    similar: similarSchema,
  })
  .openapi("Group");

const params = strict({ group_id: idParam() });

const route = publicRoute("get /v1/groups/{group_id}", {
  operationId: "getGroup",
  tags: ["offers"],
  summary: "One comparable product with the offers of all shops",
  description:
    "Products of several shops that are the same, by barcode, model, text or decision of people. When groups prove to be one product, they become one; the old ids lead to it.",
  request: { params },
  responses: {
    200: jsonAnswer("The group", groupSchema),
    301: {
      description: "It was merged into another group",
      headers: z.object({ Location: z.string().openapi({ example: "/v1/groups/512" }) }),
    },
    ...notFound,
    410: {
      ...gone[410],
      description: "Dissolved: its products are not the same, or fewer than two are left",
    },
  },
});

export function groupRoutes({ db, clock, demand, market }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
    const { group_id: groupId } = c.req.valid("param");
    const group = (await findGroup(db, groupId)) ?? refuse(404, "group_not_found", neverSeen);
    if (group.state === "ended") refuseDissolved(group.at);
    if (group.groupId !== groupId) {
      // A merge may be undone, so nobody may remember it for ever.
      c.header("Cache-Control", "no-cache");
      return c.redirect(`/v1/groups/${group.groupId}`, 301);
    }
    const now = clock.now();
    const [representative, covered] = await Promise.all([
      readRepresentative(db, groupId),
      readOffersOfGroup(db, groupId),
    ]);
    if (!representative) refuseDissolved(now);
    const ids = covered.offers.map(({ itemId }) => itemId);
    const compared = newOffersOf(covered.offers);
    const [lows, similar] = await Promise.all([
      readLows(
        db,
        compared.map(({ itemId }) => itemId),
        now,
      ),
      readSimilar(db, ids),
    ]);
    const offers = covered.offers.map((offer) => toOffer(offer, market, now));
    const image = representative.images.find((slot) => slot !== null);
    const body: z.infer<typeof groupSchema> = {
      group_id: groupId,
      title: representative.title,
      image: image ? toImage(image) : null,
      currency: market.currency,
      lowest_price: comparedOf(offers)[0]?.price ?? null,
      lowest_used_price:
        availableOf(offers).find(({ condition }) => condition !== null)?.price ?? null,
      lows: toLows(lowestOf([...lows.values()])),
      coverage: toCoverage(covered, offers, null),
      offers,
      similar: similar.map((offer) => toOffer(offer, market, now)),
    };
    demand.shown([...body.offers, ...body.similar].map((offer) => offer.item_id));
    return answer(c, body, withoutAges(body));
  });
}

const neverSeen = "there has never been a group with this group_id";

function refuseDissolved(at: Date): never {
  const detail = `this group was dissolved at ${toIso(at)}: its products are not the same, or fewer than two are left`;
  refuse(410, "group_gone", detail, { extra: { gone_at: toIso(at) } });
}
