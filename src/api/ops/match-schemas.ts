import { z } from "@hono/zod-openapi";
import type { MatchSide } from "../../matching/review/sides.ts";
import {
  instantSchema,
  nextPage,
  orNull,
  intOrNull,
  numberOrNull,
  textOrNull,
} from "../http/route.ts";
import { imageSchema } from "../products/product-schema.ts";
import { toImage } from "../products/to-product.ts";
import { toMembers } from "../http/to-members.ts";

const attributesSchema = z
  .object({
    quantity: numberOrNull("content of one piece, in `unit`"),
    unit: z.string().nullable(),
    pack: intOrNull("pieces; null: not said, which is one"),
    models: z.array(z.string()),
    colours: z.array(z.string()),
    size: z.string().nullable(),
    condition: z.string().nullable(),
    edition: z.string().nullable(),
  })
  .openapi("TitleAttributes", { description: "what the title tells; null or empty: nothing" });

const sideSchema = z
  .object({
    item_id: z.int(),
    title: z.string(),
    price: z.int().describe("0: not known"),
    stock: z.int(),
    gone: z.boolean().describe("proven deleted"),
    image: orNull(imageSchema),
    gtins: z.array(z.string()),
    categories: z.array(z.string()),
    shop: z.object({ shop_id: z.string(), shop_name: z.string() }),
    group_id: intOrNull("the group it is in now"),
    attributes: orNull(attributesSchema),
  })
  .openapi("MatchedProduct");

export function toSideBody(side: MatchSide): z.infer<typeof sideSchema> {
  const { isGone, image, shop, ...others } = side;
  return {
    ...toMembers(others),
    gone: isGone,
    image: image && toImage(image),
    shop: toMembers(shop),
  };
}

const reasonSchema = z
  .object({
    about: z.string().openapi({
      description:
        "codes, words, price, models, quantity, pack, colours, size, condition, edition, or a veto of the matcher",
      example: "models",
    }),
    left: textOrNull("what `a` says of it; of words: those that `b` lacks; null: nothing to show"),
    right: z.string().nullable(),
  })
  .openapi("MatchReason");

export const reviewSchema = z
  .object({
    items: z.array(
      z
        .object({
          a: sideSchema,
          b: sideSchema,
          score: z.number().min(0).max(1).describe("probability that both are the same product"),
          tier: z
            .enum(["equal", "similar", "none"])
            .describe("equal: they are compared as one product now; similar: only shown beside it"),
          kind: z.enum(["gtin", "model", "text", "manual"]),
          priority: z
            .number()
            .describe(
              "opens of the last days times the part of the price that a decision would change",
            ),
          reasons: z.object({ for: z.array(reasonSchema), against: z.array(reasonSchema) }),
        })
        .openapi("DoubtfulMatch"),
    ),
    next: nextPage(z.string(), "after"),
    waiting: z.int().describe("all pairs of the queue, counted up to 10000"),
  })
  .openapi("MatchReview");

export const decisionSchema = z
  .object({
    decision_id: z.int(),
    a: z.int().describe("the smaller item_id"),
    b: z.int(),
    decision: z
      .enum(["same", "different", "unsure", "undone"])
      .describe("undone: an earlier decision was taken back, as if nobody had decided"),
    decided_at: instantSchema,
  })
  .openapi("MatchDecision");

export const decisionListSchema = z
  .object({
    items: z.array(
      z
        .object({
          decision_id: z.int(),
          a: sideSchema,
          b: sideSchema,
          decision: decisionSchema.shape.decision,
          decided_at: instantSchema,
          stands: z.boolean().describe("no later decision replaces it"),
        })
        .openapi("ListedMatchDecision"),
    ),
    next: nextPage(z.int(), "before"),
  })
  .openapi("MatchDecisionList");

export const categoryListSchema = z
  .object({
    items: z.array(
      z
        .object({
          category: z.string(),
          linked: z.boolean().describe("false: nothing is linked by text here"),
          reason: z.string(),
          threshold: z.number().describe("probability from which a pair links"),
          precision_by_codes: numberOrNull(
            "share of links that are right, by pairs with a barcode on both sides; null: too few",
          ),
          precision_by_shops: numberOrNull(
            "the same by comparison with pairs within one shop, which are different products; null: too few",
          ),
          labelled_pairs: z.int(),
          estimated_at: instantSchema,
        })
        .openapi("MatchCategory"),
    ),
    next: nextPage(z.string(), "after"),
  })
  .openapi("MatchCategoryList");

export const groupChangesSchema = z
  .object({
    items: z.array(
      z
        .object({
          change_id: z.int(),
          at: instantSchema,
          kind: z.enum(["created", "joined", "left", "merged", "split", "dissolved"]),
          group_id: z.int(),
          other_group_id: intOrNull(
            "merged: the group that remains; split: the new group; else null",
          ),
          item_ids: z.array(z.int()).describe("the products it is about"),
        })
        .openapi("GroupChange"),
    ),
    next: z.int().describe("`after` of the next request; the same as before while nothing is new"),
  })
  .openapi("GroupChanges");
