import { z } from "zod";
import { alertKinds, lowWindows, type AlertRule, type SavedQuery } from "../db/schema.ts";
import type { Saved } from "./judge.ts";
import { createMatcher } from "./matches.ts";

const texts = z.array(z.string());

export const storedQuery = z
  .strictObject({
    q: z.string(),
    shop_id: texts,
    exclude_shop_id: texts,
    category: texts,
    gtin: texts.describe("as GTIN-14"),
    price_min: z.int(),
    price_max: z.int(),
    in_stock: z.boolean(),
    on_sale: z.boolean(),
    item_id: z.int(),
    group_id: z.int(),
  })
  .partial();

const storedRule = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("price_below"), price: z.number() }),
  z.object({ kind: z.literal("price_drop"), percent: z.number() }),
  z.object({ kind: z.literal("price_rise"), percent: z.number().optional() }),
  z.object({ kind: z.literal("new_low"), window: z.enum(lowWindows) }),
  z.object({ kind: z.literal("new_match") }),
  z.object({ kind: z.literal("back_in_stock") }),
  z.object({ kind: z.literal("gone") }),
]);

/** As Postgres has it. */
export interface StoredSearch {
  query: SavedQuery;
  rules: AlertRule[];
  minChangePercent: number;
  cooldownS: number;
  confirmFactor: number;
}

/** Throws if the stored query or rules are not what this version knows. */
export function toSaved(stored: StoredSearch): Saved {
  const rules = z.array(storedRule).max(alertKinds.length).parse(stored.rules);
  return {
    matches: createMatcher(toQuery(stored.query)),
    rules: rules as AlertRule[],
    minChangePercent: stored.minChangePercent,
    cooldownS: stored.cooldownS,
    confirmFactor: stored.confirmFactor,
  };
}

function toQuery(query: unknown): SavedQuery {
  return storedQuery.parse(query) as SavedQuery;
}
