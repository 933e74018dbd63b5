import { createRoute, z, type RouteConfig } from "@hono/zod-openapi";
import { strict } from "./validation.ts";

/** The content of a JSON request or response. */
export function json<T extends z.ZodType>(schema: T) {
  return { "application/json": { schema } };
}

/** A JSON response of a route. */
export function jsonAnswer<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: json(schema) };
}

/** A JSON response that is an object of these members; `name` is that of its schema. */
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

const example = {
  type: "about:blank",
  title: "Bad Request",
  status: 400,
  code: "invalid_parameters",
  detail: "1 parameter cannot be used",
  request_id: "5f0c3c6e-3f0e-4a53-9d5c-0f1d7f2a7b9e",
  errors: [{ parameter: "per_page", message: "must be a whole number from 1 to 100" }],
};

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().openapi({ description: "stable, for programs" }),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ parameter: z.string(), message: z.string() })),
  })
  .openapi("Problem", { example });

const deletedSchema = problemSchema
  .extend({ gone_at: instantSchema })
  .openapi("GoneProblem", { example: { ...example, gone_at: "2023-11-14T22:13:20Z" } });

/** A failure of a route, answered as a Problem. */
export function failure(description: string) {
  return { description, content: { "application/problem+json": { schema: problemSchema } } };
}

/** Failures to spread into a route's `responses`. Those of middleware are added by `openapi-complete.ts`. */
export const notFound = { 404: failure("Never seen") };
export const gone = {
  410: {
    description: "Proven deleted; `gone_at` says when that was seen",
    content: { "application/problem+json": { schema: deletedSchema } },
  },
};
export const conflict = { 409: failure("Exists or is active already") };

export type RouteAt<Path extends string> = Omit<RouteConfig, "path"> & { path: Path };

/** A route that describes no request refuses every parameter. */
export function closed<Route extends Pick<RouteConfig, "request">>(route: Route): Route {
  // Safe: what is added describes no parameter, so that a handler reads none.
  return route.request ? route : { ...route, request: { query: strict({}) } };
}

/** A route of the public API. */
export function publicRoute<Path extends string, Route extends RouteAt<Path>>(route: Route) {
  return createRoute(closed(route));
}
