import { z } from "@hono/zod-openapi";
import type { Chosen, StoredSavedSearch } from "../../alerts/saved-searches.ts";
import { alertKinds, lowWindows, storedQuery, type SavedQuery } from "../../db/schema.ts";
import { given } from "../../lib/given.ts";
import {
  bodyId,
  bodyInteger,
  bodyNumber,
  bodyText,
  isInYears,
  idParam,
} from "../http/parameters.ts";
import { instantSchema, strict, intOrNull, textOrNull } from "../http/route.ts";
import { membersOf } from "../http/to-members.ts";
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

const maxPrice = 1_000_000_000_000;
const window = z.enum(lowWindows, { error: `must be one of: ${lowWindows.join(", ")}` });

export const ruleSchema = z
  .discriminatedUnion(
    "kind",
    [
      strict({ kind: z.literal("price_below"), price: bodyInteger(1, maxPrice) }),
      strict({ kind: z.literal("price_drop"), percent: bodyNumber(0.1, 99) }),
      strict({ kind: z.literal("price_rise"), percent: bodyNumber(0.1, 1000).optional() }),
      strict({ kind: z.literal("new_low"), window }),
      strict({ kind: z.literal("new_match") }),
      strict({ kind: z.literal("back_in_stock") }),
      strict({ kind: z.literal("gone") }),
    ],
    { error: `must be one of: ${alertKinds.join(", ")}` },
  )
  .openapi("AlertRule", { example: { kind: "price_drop", percent: 10 } });

const rules = z
  .array(ruleSchema, "must be a list of rules")
  .min(1, "must have at least one rule")
  .max(alertKinds.length, `must have at most ${alertKinds.length} rules`)
  .superRefine((list, ctx) => {
    for (const [i, { kind }] of list.entries()) {
      if (list.findIndex((rule) => rule.kind === kind) === i) continue;
      ctx.addIssue({ code: "custom", path: [i, "kind"], message: "each kind may be given once" });
    }
  })
  .describe(
    "what to tell of. price_below: the price became `price` or less. price_drop, price_rise: it moved by so many percent in one observation. new_low: lower than all known prices of the `window` before. back_in_stock. new_match: a product that did not match before. gone: the shop deleted it. Each is told when it begins, not while it lasts",
  );

const expected = "must be an ISO 8601 time with an offset, such as 2026-12-31T00:00:00Z";

/** What may be changed later; the same members are in a new one and in the answer. */
const options = {
  webhook_id: bodyId().nullable().describe("where events are sent at once; null: nowhere"),
  min_change_percent: bodyNumber(0, 90).describe(
    "smaller moves of the price are no news for price_drop, price_rise and new_low",
  ),
  cooldown_s: bodyInteger(0, 2_592_000).describe(
    "after an event, the same rule says nothing of the same product for so many seconds",
  ),
  daily_max: bodyInteger(1, 10_000).describe(
    "events of a day of the marketplace's calendar; further ones are `is_quiet`: not sent at once, but in lists and feeds",
  ),
  confirm_factor: bodyNumber(1.1, 1000).describe(
    "a price that becomes more than so many times as high or low is told only when it is seen again, because it may be a slip",
  ),
  paused: z.boolean("must be true or false"),
  expires_at: z.iso
    .datetime({ offset: true, error: expected })
    .refine(isInYears, expected)
    .nullable()
    .openapi({ type: ["string", "null"], format: "date-time" }),
};

export const newSavedSearch = strict({
  name: bodyText(200).openapi({ example: "革財布 8000円まで" }),
  query: savedQueryInput,
  rules,
  webhook_id: options.webhook_id.default(null),
  min_change_percent: options.min_change_percent.default(1),
  cooldown_s: options.cooldown_s.default(3600),
  daily_max: options.daily_max.default(100),
  confirm_factor: options.confirm_factor.default(5),
  paused: options.paused.default(false),
  expires_at: options.expires_at.default(null),
  tell_present: z
    .boolean("must be true or false")
    .default(false)
    .describe(
      "judge the present products as if they were new, once; only with item_id, group_id or gtin. false: only what changes from now on is told",
    ),
}).openapi("NewSavedSearch", {
  example: {
    name: "革財布 8000円まで",
    query: { q: "革財布", in_stock: true },
    rules: [
      { kind: "price_below", price: 8000 },
      { kind: "new_low", window: "90d" },
    ],
  },
});

export const savedSearchChange = strict({
  name: bodyText(200),
  query: savedQueryInput,
  rules,
  ...options,
})
  .partial()
  .openapi("SavedSearchChange", { example: { paused: true } });

export const savedSearchSchema = z
  .object({
    saved_search_id: z.int(),
    name: z.string(),
    query: savedQuerySchema,
    rules: z.array(ruleSchema),
    webhook_id: z.int().nullable(),
    min_change_percent: z.number(),
    cooldown_s: z.int(),
    daily_max: z.int(),
    confirm_factor: z.number(),
    paused: z.boolean(),
    expires_at: instantSchema.nullable(),
    fault: textOrNull("why it is not judged; null: it is. Save the query anew"),
    events: z.int().describe("told since it was made"),
    created_at: instantSchema,
    updated_at: instantSchema,
  })
  .openapi("SavedSearch");

const feedsSchema = z
  .object({
    atom: z.string().openapi({ example: "/feeds/0123456789abcdefghijklmnopqrstuv.atom" }),
    json: z.string().openapi({ example: "/feeds/0123456789abcdefghijklmnopqrstuv.json" }),
  })
  .openapi("FeedAddresses", {
    description:
      "addresses on this server, for feed readers. Who knows one can read the events; they are shown in this answer alone",
  });

export const createdSavedSearchSchema = savedSearchSchema
  .extend({ feeds: feedsSchema })
  .openapi("CreatedSavedSearch");

export const renewedFeedsSchema = z.object({ feeds: feedsSchema }).openapi("RenewedFeeds");

export const toFeeds = (secret: string) => ({
  atom: `/feeds/${secret}.atom`,
  json: `/feeds/${secret}.json`,
});

export const savedSearchListSchema = z
  .object({
    items: z.array(savedSearchSchema),
    next: intOrNull("the `after` of the next page; null: this is the last"),
  })
  .openapi("SavedSearchList");

export type SavedSearchBody = z.infer<typeof savedSearchSchema>;
export type NewSavedSearch = z.output<typeof newSavedSearch>;
export type SavedSearchChange = z.output<typeof savedSearchChange>;

/** Only what is given. */
export function toChosen(body: SavedSearchChange): Partial<Chosen> {
  const { name, query, rules } = body;
  return given({
    name,
    query,
    rules: rules as Chosen["rules"] | undefined,
    webhookId: body.webhook_id,
    minChangePercent: body.min_change_percent,
    cooldownS: body.cooldown_s,
    dailyMax: body.daily_max,
    confirmFactor: body.confirm_factor,
    isPaused: body.paused,
    expiresAt: body.expires_at === undefined ? undefined : toDate(body.expires_at),
  });
}

const toDate = (text: string | null) => (text === null ? null : new Date(text));

export function toBody(stored: StoredSavedSearch): SavedSearchBody {
  return { ...membersOf(savedSearchSchema, stored), paused: stored.isPaused };
}
