import { z } from "@hono/zod-openapi";
import { maxOffersInBatch, readOffersOfGtins } from "../../../catalog/offers.ts";
import { answerOnce, maxAnswerBytes } from "../../http/answer.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { publicRoute, jsonAnswer, requiredJson, createRoutes, strict } from "../../http/route.ts";
import type { Lanes } from "../../http/lanes.ts";
import { offersSchema, toOffers } from "./offer-schema.ts";
import { boundedBody } from "../../http/middleware/request-guards.ts";
import { asGtin14 } from "../../http/parameters.ts";

const maxGtins = 200;
const maxBodyBytes = 16_384;

const gtinSchema = z
  .string("must be a text of digits")
  .max(20, "must have at most 20 characters")
  .transform((text, ctx) => ({ text, gtin14: asGtin14(text, ctx) }))
  .openapi({ type: "string", maxLength: 20 });

const lookupSchema = strict({
  gtins: z
    .array(gtinSchema, "must be a list of barcodes")
    .max(maxGtins, `must have at most ${maxGtins} barcodes`)
    .openapi({ example: ["4901234567894", "4912345678904"] }),
}).openapi("OffersLookup");

const foundSchema = z
  .object({
    items: z
      .array(
        offersSchema.extend({ gtin: z.string().describe("as it was sent") }).openapi("GtinOffers"),
      )
      .describe("in the requested order, each once"),
    not_found: z
      .array(z.string())
      .describe("barcodes that no product has or had, as they were sent"),
  })
  .openapi("OffersLookupResult");

const route = publicRoute("post /v1/offers/lookup", {
  operationId: "lookUpOffers",
  tags: ["offers"],
  summary: "Every shop's offers for many barcodes at once",
  description: `At most ${maxGtins} barcodes in a body of ${maxBodyBytes} bytes, ${maxOffersInBatch} offers of each (\`coverage.complete\` says whether there are more), and ${maxAnswerBytes} bytes of answer; more is refused. Lookups wait for one another; if too many wait, the answer is 503.`,
  middleware: boundedBody(maxBodyBytes),
  request: { body: requiredJson(lookupSchema) },
  responses: { 200: jsonAnswer("Offers, cheapest in stock first", foundSchema) },
});

export function offersLookupRoutes(deps: ApiDeps, lanes: Lanes) {
  const { db, clock, demand, market, clientAddress } = deps;
  return createRoutes().openapi(route, async (c) => {
    const sent = new Map(c.req.valid("json").gtins.map(({ text, gtin14 }) => [text, gtin14]));
    return lanes.lookup(clientAddress(c), async () => {
      const covered = await readOffersOfGtins(db, [...sent.values()], maxOffersInBatch);
      const now = clock.now();
      const found: z.infer<typeof foundSchema> = { items: [], not_found: [] };
      for (const [i, [gtin, gtin14]] of [...sent].entries()) {
        const own = covered[i];
        if (!own || own.matched === 0) found.not_found.push(gtin);
        else {
          const params = { gtin14s: [gtin14], isGrouped: false, maxAgeSeconds: null, market, now };
          found.items.push({ gtin, ...toOffers(own, params) });
        }
      }
      demand.shown([
        ...new Set(found.items.flatMap(({ offers }) => offers.map((offer) => offer.item_id))),
      ]);
      return answerOnce(c, found);
    });
  });
}
