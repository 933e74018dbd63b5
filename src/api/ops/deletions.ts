import { z } from "@hono/zod-openapi";
import { countHeld, readHeld, readHeldShops } from "../../catalog/observing/held-deletions.ts";
import { readGuard } from "../../catalog/observing/loss-guard.ts";
import type { Db } from "../../db/open.ts";
import { afterParam, bodyId, limitParam, textParam } from "../http/parameters.ts";
import {
  failure,
  instantSchema,
  json,
  jsonAnswer,
  nextPage,
  createRoutes,
  strict,
} from "../http/route.ts";
import { toMembers, toIso } from "../http/to-members.ts";
import { byApi, type OpsContext, opsRoute } from "./context.ts";

const maxIds = 1000;
const shopsNamed = 20;

const heldItemSchema = z
  .object({
    item_id: z.int(),
    title: z.string(),
    shop: z.object({ shop_id: z.string(), shop_name: z.string() }),
    call_id: z.int().describe("the newest refresh that did not return it"),
    proven_at: instantSchema.describe("when that refresh was sent"),
    held_at: instantSchema.describe("since when its deletion is held"),
    checked_at: instantSchema.describe("when the upstream last showed it"),
  })
  .openapi("HeldDeletion");

const heldSchema = z
  .object({
    held: z.int().describe("all that are held"),
    guard: z.object({
      tripped_at: instantSchema
        .nullable()
        .describe("since when every deletion is held; null: deletions take effect"),
      deleted: z.int().describe("deletions that took effect within a week, since ops last decided"),
      refuted: z
        .int()
        .describe(
          "living products that refreshes of the last day left out, as other answers showed",
        ),
      doubted: z.boolean().describe("these are so many that a deletion needs more than one answer"),
    }),
    shops: z
      .array(z.object({ shop_id: z.string(), shop_name: z.string(), held: z.int() }))
      .describe(`the ${shopsNamed} shops with most held deletions`),
    items: z.array(heldItemSchema).describe("by item_id"),
    next: nextPage(z.int(), "after"),
  })
  .openapi("HeldDeletions");

export const heldScope = strict({
  item_ids: z
    .array(bodyId(), "must be a list of ids")
    .min(1, "must have at least 1 id")
    .max(maxIds, `must have at most ${maxIds} ids`)
    .optional(),
  shop_id: z.string("must be a text").max(255, "must have at most 255 characters").optional(),
}).openapi("HeldDeletionScope", {
  description: "Only those of these ids and of this shop; without a body, all",
});

const releasedSchema = z.object({ released: z.int() }).openapi("ReleasedDeletions");
const discardedSchema = z.object({ discarded: z.int() }).openapi("DiscardedDeletions");

const readRoute = opsRoute("get /deletions", {
  operationId: "getHeldDeletions",
  summary: "Deletions held because too much vanished at once",
  request: {
    query: strict({
      limit: limitParam(1000, 100),
      after: afterParam(),
      shop_id: textParam(255).optional(),
    }),
  },
  responses: { 200: jsonAnswer("How many are held, and a page of them", heldSchema) },
});

const decision = {
  request: { body: { required: false, content: json(heldScope) } },
} as const;

const unknownShop = { 404: failure("No shop with this shop_id has ever been seen") } as const;

const releaseRoute = opsRoute("post /deletions/release", {
  ...decision,
  operationId: "releaseHeldDeletions",
  summary: "Release the held deletions: the products are deleted",
  responses: { 200: jsonAnswer("How many took effect", releasedSchema), ...unknownShop },
});

const discardRoute = opsRoute("post /deletions/discard", {
  ...decision,
  operationId: "discardHeldDeletions",
  summary: "Discard the held deletions: the products stay and are checked again",
  responses: { 200: jsonAnswer("How many were discarded", discardedSchema), ...unknownShop },
});

/** What is held, for a page of it and for the `shopsNamed` shops with most. */
export async function readHeldPage(
  db: Db,
  asked: {
    now: Date;
    shopsNamed: number;
    limit: number;
    after: number;
    shopId: string | undefined;
  },
) {
  const { now, shopsNamed: most, ...page } = asked;
  const [held, guard, shops, listed] = await Promise.all([
    countHeld(db),
    readGuard(db, now),
    readHeldShops(db, most),
    readHeld(db, page),
  ]);
  return { held, guard, shops, ...listed };
}

export function deletionRoutes({ opsDb, actions, clock }: OpsContext) {
  return createRoutes()
    .openapi(readRoute, async (c) => {
      const { limit, after, shop_id: ofShop } = c.req.valid("query");
      const page = { now: clock.now(), shopsNamed, limit, after, shopId: ofShop };
      const { held, guard, shops, items, next } = await readHeldPage(opsDb, page);
      const body: z.infer<typeof heldSchema> = {
        held,
        guard: {
          tripped_at: toIso(guard.trippedAt),
          deleted: guard.deleted,
          refuted: guard.refuted,
          doubted: guard.isDoubted,
        },
        shops: shops.map(toMembers),
        items: items.map(({ shopId, shopName, seenAt: checkedAt, ...item }) => ({
          ...toMembers({ ...item, checkedAt }),
          shop: { shop_id: shopId, shop_name: shopName },
        })),
        next,
      };
      return c.json(body, 200);
    })
    .openapi(releaseRoute, async (c) => {
      const scope = toScope(c.req.valid("json"));
      const { deleted } = await actions.releaseDeletions(byApi(c), scope);
      return c.json({ released: deleted }, 200);
    })
    .openapi(discardRoute, async (c) => {
      const scope = toScope(c.req.valid("json"));
      const { taken } = await actions.discardDeletions(byApi(c), scope);
      return c.json({ discarded: taken }, 200);
    });
}

function toScope({ item_ids: itemIds, shop_id: shopId }: z.infer<typeof heldScope>) {
  return { itemIds, shopId };
}
