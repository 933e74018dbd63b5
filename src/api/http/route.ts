import { createRoute, z, type RouteConfig, OpenAPIHono } from "@hono/zod-openapi";
import type { Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import type { ApiEnv, ApiContext } from "./deps.ts";
import { Problem, type ParameterFault } from "./problems/problem.ts";
export function json<T extends z.ZodType>(schema: T) {
  return { "application/json": { schema } };
}
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

/** A JSON response with the address of what was made. */
export function createdAnswer<T extends z.ZodType>(description: string, schema: T) {
  return { ...jsonAnswer(description, schema), headers: locationOf("What was made") };
}
export function locationOf(description: string) {
  return { Location: { description, required: true, schema: { type: "string" as const } } };
}
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

/** Members that may be null; `meaning` says what the member is, or when it is null. */
export const intOrNull = (meaning: string) => z.int().nullable().describe(meaning);
export const numberOrNull = (meaning: string) => z.number().nullable().describe(meaning);
export const textOrNull = (meaning: string) => z.string().nullable().describe(meaning);

/** A shop's text, if it is a web address. */
export const webUrlSchema = textOrNull("http or https; null where the shop wrote anything else");

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
    .describe("which Postgres answered; only if there is a replica"),
  replica_lag_s: z
    .number()
    .nullable()
    .optional()
    .describe(
      "the replica may lack what was written in so many seconds before the answer; null: not known. Only if it answered",
    ),
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

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe("stable, for programs"),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ parameter: z.string(), message: z.string() })),
  })
  .openapi("Problem", { example });

const deletedSchema = problemSchema
  .extend({ gone_at: instantSchema })
  .openapi("GoneProblem", { example: { ...example, gone_at: "2023-11-14T22:13:20Z" } });
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

export type Method = RouteConfig["method"];
export type RouteParts = Omit<RouteConfig, "method" | "path">;

/** A route `at` such as `get /v1/shops`. One that describes no query or body refuses every parameter of one. */
export function publicRoute<M extends Method, Path extends string, Parts extends RouteParts>(
  at: `${M} ${Path}`,
  parts: Parts,
) {
  // Safe: a path has no space.
  const [method, path] = at.split(" ") as [M, Path];
  const request = { query: strict({}), ...parts.request };
  // A body of a GET is refused before.
  const reads = method === "get" || request.body !== undefined;
  const middleware = [...(reads ? [] : [withoutBody]), parts.middleware ?? []].flat();
  // Safe: what is added describes no parameter, so that a handler reads none.
  const closed: Parts = { ...parts, request, middleware };
  return createRoute({ method, path, ...closed });
}

/** Room for the blanks of an object without members. */
const maxUnreadBytes = 1024;

const shortBody = bodyLimit({ maxSize: maxUnreadBytes });

/** Refuses a body that says something, because nothing would come of it. An object without members says nothing. */
async function withoutBody(c: ApiContext, next: Next): Promise<Response | void> {
  const check = async () => {
    const text = await c.req.text();
    if (text.trim() !== "") refuseFaults(strict({}).safeParse(readJson(c, text)));
    await next();
  };
  const isRead = Object.keys(c.req.bodyCache).length > 0;
  return isRead ? check() : shortBody(c, check);
}

function readJson(c: ApiContext, text: string): unknown {
  const type = c.req.header("Content-Type")?.split(";")[0]?.trim() ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json$/i.test(type)) throw new HTTPException(415);
  try {
    return JSON.parse(text);
  } catch {
    throw new HTTPException(400);
  }
}

type Checked = { success: true; data?: unknown } | { success: false; error: z.ZodError };

/** Throws one 400 that names all faults of all results. */
export function refuseFaults(...results: readonly Checked[]): undefined {
  const faults = faultsIn(results);
  if (faults.length > 0) throw invalid(faults);
}

function faultsIn(results: readonly Checked[]): ParameterFault[] {
  return results.flatMap((result) =>
    result.success ? unstorableIn(result.data) : toFaults(result.error),
  );
}

/** Parses the value; throws one 400 that names all faults. */
export function readOrRefuse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(toFaults(result.error));
  return result.data;
}

export function invalid(errors: ParameterFault[]): Problem {
  const { length: n } = errors;
  const detail = n === 1 ? "1 parameter cannot be used" : `${n} parameters cannot be used`;
  return new Problem({ status: 400, code: "invalid_parameters", detail, errors });
}

/** An app for some routes. Throws what their schemas refuse of an address and a body as one Problem. */
export function createRoutes(): OpenAPIHono<ApiEnv> {
  const app = new OpenAPIHono<ApiEnv>();
  const { openapi } = app;
  app.openapi = (route, handler) =>
    openapi(route, handler, (result, c) => {
      const { params, body } = route.request ?? {};
      const isFirst = result.target === "query";
      const others = isFirst && params ? [params.safeParse(c.req.param())] : [];
      const faults = faultsIn([result, ...others]);
      if (faults.length === 0) return;
      if (result.target === "json") throw invalid(faults);
      return refuseWithBody(c, faults, body?.content["application/json"]);
    });
  return app;
}

/** Names also the faults of the body, which nobody has looked at yet, if it is JSON. */
async function refuseWithBody(
  c: ApiContext,
  faults: readonly ParameterFault[],
  expected: object | undefined,
): Promise<never> {
  const schema = expected && "schema" in expected ? expected.schema : null;
  const ofBody =
    schema instanceof z.ZodType ? await c.req.json().then(schema.safeParse, () => null) : null;
  throw invalid([...faults, ...(ofBody ? faultsIn([ofBody]) : [])]);
}

/** The first text or name that neither Postgres nor Meilisearch accepts; only escapes of JSON and of forms can write it. */
export function unstorableIn(value: unknown, path: readonly string[] = []): ParameterFault[] {
  const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");
  const fault = {
    parameter: named(path),
    message: "must not have NUL or half of a surrogate pair",
  };
  if (typeof value === "string") return isStorable(value) ? [] : [fault];
  if (typeof value !== "object" || value === null) return [];
  for (const [name, member] of Object.entries(value)) {
    const own = [...path, name];
    const faults = isStorable(name)
      ? unstorableIn(member, own)
      : [{ ...fault, parameter: named(own) }];
    if (faults.length > 0) return faults;
  }
  return [];
}

const maxFaults = 50;

function toFaults(error: z.ZodError): ParameterFault[] {
  return error.issues
    .flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({
            parameter: named([...issue.path, key]),
            message: issue.message,
          }))
        : [{ parameter: named(issue.path), message: issue.message }],
    )
    .slice(0, maxFaults);
}

function named(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "body" : path.map(String).join(".").slice(0, 100).toWellFormed();
}

/** An object with these members and no others. */
export function strict<T extends z.ZodRawShape>(shape: T) {
  const names = Object.keys(shape).join(", ") || "none";
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `is not known here; known are: ${names}`
        : "must be an object",
  });
}
