import { z } from "@hono/zod-openapi";
import type { Low, Lows } from "../../catalog/history/lows.ts";
import { instantSchema } from "../http/route.ts";
import { toIso } from "../http/to-members.ts";

const lowSchema = z
  .object({
    price: z.int(),
    at: instantSchema,
    observations: z.int().openapi({
      description:
        "checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day",
    }),
  })
  .nullable();

export const lowsSchema = z
  .object({ all: lowSchema, "1y": lowSchema, "90d": lowSchema, "30d": lowSchema })
  .openapi({
    description: "lowest price seen in each period that ends now; null if none was seen",
  });

export function toLows(lows: Lows): z.infer<typeof lowsSchema> {
  const toLow = (low: Low | null) => low && { ...low, at: toIso(low.at) };
  return {
    all: toLow(lows.all),
    "1y": toLow(lows["1y"]),
    "90d": toLow(lows["90d"]),
    "30d": toLow(lows["30d"]),
  };
}
