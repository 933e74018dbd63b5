import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiEnv } from "./env.ts";
import { Problem, type ParameterFault } from "./problems/problem.ts";

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
  c: Context<ApiEnv>,
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

const MAX_FAULTS = 50;

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
    .slice(0, MAX_FAULTS);
}

function named(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "body" : path.map(String).join(".").slice(0, 100).toWellFormed();
}

/** An object with these members and no others. */
export function strict<T extends z.ZodRawShape>(shape: T) {
  const names = Object.keys(shape).join(", ") || "none";
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? `is not known here; known are: ${names}` : undefined,
  });
}
