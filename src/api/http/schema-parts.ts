import { z } from "@hono/zod-openapi";

/** The content of a JSON request or response. */
export function json<T extends z.ZodType>(schema: T) {
  return { "application/json": { schema } };
}

/** ISO 8601 in UTC. */
export const instantSchema = z
  .string()
  .openapi({ type: "string", format: "date-time", example: "2023-11-14T22:13:20Z" });

/** What a shop wrote, where it is an address of the web. */
export const webUrlSchema = z
  .string()
  .nullable()
  .openapi({ description: "http or https; null where the shop wrote anything else" });

/** Ages in whole seconds; null where there is nothing to have an age. */
export const freshnessSchema = z.object({
  p50_s: z.int().nullable(),
  p95_s: z.int().nullable(),
  oldest_s: z.int().nullable(),
});
