import { z } from "@hono/zod-openapi";

/** The content of a JSON request or response. */
export function json<T extends z.ZodType>(schema: T) {
  return { "application/json": { schema } };
}

/** A JSON response of a route. */
export function jsonAnswer<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: json(schema) };
}

/** The same for an object of these members; `name` is that of its schema. */
export function objectAnswer<T extends z.ZodRawShape>(
  description: string,
  name: string,
  members: T,
) {
  return jsonAnswer(description, z.object(members).openapi(name));
}

/** A JSON body that a request must have. */
export function requiredJson<T extends z.ZodType>(schema: T) {
  return { required: true, content: json(schema) };
}

/** `next` of a list: the `before` or `after` with which the next page is asked for. */
export function nextPage<T extends z.ZodType>(position: T, parameter: "before" | "after") {
  const description = `\`${parameter}\` of the next page; null on the last`;
  return position.nullable().openapi({ description });
}

/** ISO 8601 in UTC. */
export const instantSchema = z
  .string()
  .openapi({ format: "date-time", example: "2023-11-14T22:13:20Z" });

/** A shop's text, if it is a web address. */
export const webUrlSchema = z
  .string()
  .nullable()
  .openapi({ description: "http or https; null where the shop wrote anything else" });

export const currencySchema = z
  .string()
  .openapi({ description: "of all prices, by ISO 4217", example: "JPY" });

/** Ages in whole seconds; null if there are no items. The last two are given where a replica of Postgres is set. */
export const freshnessSchema = z.object({
  p50_s: z.int().nullable(),
  p95_s: z.int().nullable(),
  oldest_s: z.int().nullable(),
  read_from: z
    .enum(["primary", "replica"])
    .optional()
    .openapi({ description: "which Postgres answered; only if there is a replica" }),
  replica_lag_s: z.number().nullable().optional().openapi({
    description:
      "the replica may lack what was written in so many seconds before the answer; null: not known. Only if it answered",
  }),
});

/** A schema with a name, or null. Its own `nullable` would make null of the name wherever it stands. */
export function orNull<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.null()]);
}
