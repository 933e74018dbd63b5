import { STATUS_CODES } from "node:http";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ApiEnv } from "../deps.ts";
import { unlimited } from "../middleware/api-keys.ts";
import { isOps, isPublicApi } from "../middleware/headers.ts";
import { createExampleMaker, type Schema } from "./openapi-examples.ts";

export type OpenApiDocument = ReturnType<OpenAPIHono<ApiEnv>["getOpenAPI31Document"]>;

interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: unknown;
}
interface Described {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Content>;
}
interface Operation {
  security?: unknown[];
  parameters?: { name: string; required?: boolean; schema?: Schema; example?: unknown }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Described>;
}

const text = (description: string, more: object = {}) => ({
  description,
  schema: { type: "string" as const },
  ...more,
});

/** With an API key, or where addresses are limited. */
const limitHeaders = {
  RateLimit: text("What is left of each limit, as the IETF's draft has it"),
  "RateLimit-Policy": text("The limits, as the IETF's draft has them"),
  "RateLimit-Limit": text("Requests in the window of the limit that is nearest"),
  "RateLimit-Remaining": text("Requests left in it"),
  "RateLimit-Reset": text("Seconds until it begins anew"),
};

const headers = {
  "X-Request-Id": text(
    "The id of this request in the log: the one that the request brought if it is harmless, otherwise a new one",
    { required: true },
  ),
  "Retry-After": {
    description: "Seconds after which to try again",
    required: true,
    schema: { type: "integer" as const, minimum: 0 },
  },
  "Cache-Control": text("Who may keep the answer"),
  ETag: text("Send it as `If-None-Match` to get a 304 while the answer is the same"),
  "WWW-Authenticate": text("How to show a token", { required: true }),
  "Content-Language": text(
    "The language of title, detail and messages: `en`, or `ja` if Accept-Language prefers it",
  ),
  ...limitHeaders,
};

type HeaderName = keyof typeof headers;
const limitNames = Object.keys(limitHeaders) as readonly (keyof typeof limitHeaders)[];

/** The failures of middleware and of validation, which routes do not describe themselves. */
export const failureTexts = {
  400: "Names every invalid parameter",
  401: "No live API key, or none where one is needed",
  403: "The API key is for pages of other origins",
  "401 of ops": "No valid ops token",
  "403 of ops": "The token may only read",
  413: "The body is too large, or a GET has one",
  415: "The body is not application/json, not in UTF-8, or compressed",
  429: "Too many requests",
  500: "A fault on our side",
  503: "Not available now",
};
type CommonFailure = keyof typeof failureTexts;

/** The codes of examples; that of 400 is in the example of the schema. */
const codes: Record<string, string> = {
  401: "missing_key",
  403: "origin_not_allowed",
  "401 of ops": "unauthorized",
  "403 of ops": "role_required",
  404: "not_found",
  409: "run_active",
  410: "product_gone",
  413: "body_too_large",
  415: "unsupported_media_type",
  429: "too_many_requests",
  500: "internal_error",
  503: "database_unavailable",
};

/** Read from where the last answer ended, so that no answer is the same. */
const neverSame = ["/v1/changes", "/v1/events"];
const methods = ["get", "post", "patch", "put", "delete"] as const;

/**
 * Adds what middleware does to every route: its failures, its headers, and no token where none is
 * needed; and an example to every request and answer. Routes need to describe only what is their own.
 */
export function completeDocument(document: OpenApiDocument): void {
  const components = (document.components ??= {});
  components.headers = headers;
  const named = components.schemas as Record<string, Schema>;
  const exampleOf = createExampleMaker((ref) => {
    const schema = named[ref.replace("#/components/schemas/", "")];
    if (!schema) throw new Error(`${ref} is not described`);
    return schema;
  });
  const share = createSharing((components.responses ??= {}));
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      // Safe: these are the members that the generator writes for every route.
      const operation = item[method] as Operation | undefined;
      if (!operation) continue;
      if (!isPublicApi(path)) operation.security ??= [];
      for (const parameter of operation.parameters ?? []) {
        if (parameter.required && parameter.schema) {
          parameter.example ??= exampleOf(parameter.schema, parameter.name);
        }
      }
      for (const content of Object.values(operation.requestBody?.content ?? {})) {
        if (content.examples === undefined) content.example ??= exampleOf(content.schema ?? {});
      }
      const all = { ...commonFailures(path, method, operation), ...operation.responses };
      operation.responses = Object.fromEntries(
        Object.entries(all).map(([status, described]) => {
          const added = headersOf(path, method, status, described);
          const whole = { ...described, headers: { ...refsTo(added), ...described.headers } };
          const failure = isOps(path) && `${status} of ops` in codes ? `${status} of ops` : status;
          return [status, share(status, withExamples(failure, whole, exampleOf))];
        }),
      );
    }
  }
}

function commonFailures(
  path: string,
  method: string,
  { responses }: Operation,
): Record<string, Described> {
  const failures: CommonFailure[] = [400, 413, 500, 503];
  if (!unlimited.has(path)) failures.push(429);
  if (method !== "get") failures.push(415);
  if (isPublicApi(path)) failures.push(401, 403);
  if (isOps(path)) failures.push("401 of ops");
  if (isOps(path) && method !== "get") failures.push("403 of ops");
  const [type, name] = path.startsWith("/meili/")
    ? ["application/json", "MeilisearchError"]
    : ["application/problem+json", "Problem"];
  const content = { [type]: { schema: { $ref: `#/components/schemas/${name}` } } };
  const described = failures.map((failure) => [
    Number.parseInt(`${failure}`),
    { description: failureTexts[failure], content },
  ]);
  const unchanged = hasEtag(path, method, responses["200"])
    ? { 304: { description: "Unchanged since `If-None-Match`" } }
    : {};
  return { ...Object.fromEntries(described), ...unchanged };
}

function hasEtag(path: string, method: string, answer: Described | undefined): boolean {
  const isRead = method === "get" && path.startsWith("/v1/") && !neverSame.includes(path);
  return isRead && answer?.content?.["application/json"] !== undefined;
}

function headersOf(path: string, method: string, status: string, answer: Described): HeaderName[] {
  const names: HeaderName[] = ["X-Request-Id", "Cache-Control"];
  if (status === "429" || status === "503") names.push("Retry-After");
  if (/^[45]/.test(status) && !path.startsWith("/meili/")) names.push("Content-Language");
  if (status === "401") names.push("WWW-Authenticate");
  if (status === "304" || (status === "200" && hasEtag(path, method, answer))) names.push("ETag");
  if (isPublicApi(path)) names.push(...limitNames);
  return names;
}

function refsTo(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function withExamples(
  failure: string,
  described: Described,
  exampleOf: (schema: Schema) => unknown,
): Described {
  if (!described.content) return described;
  const content = Object.entries(described.content).map(([type, given]): [string, Content] => {
    if (!given.schema || given.examples !== undefined || given.example !== undefined) {
      return [type, given];
    }
    if (!type.endsWith("json")) return [type, given];
    const example = exampleOf(given.schema);
    const isProblem = type === "application/problem+json";
    return [
      type,
      { ...given, example: isProblem ? toProblem(failure, described, example) : example },
    ];
  });
  return { ...described, content: Object.fromEntries(content) };
}

/** The example of a problem, as a problem of this status. */
function toProblem(failure: string, { description: detail }: Described, example: unknown): unknown {
  const code = codes[failure];
  if (code === undefined) return example;
  const status = Number.parseInt(failure);
  const own = { title: STATUS_CODES[status], status, code, detail, errors: [] };
  return { ...(example as object), ...own };
}

/** Failures that are equal on several routes are described once. */
function createSharing(shared: Record<string, unknown>) {
  const names = new Map<string, string>();
  return (status: string, described: Described): Described => {
    if (!/^[45]/.test(status)) return described;
    const key = JSON.stringify(described);
    const base = key.includes("/MeilisearchError") ? "MeilisearchError" : "Problem";
    const name = names.get(key) ?? `${base}${status}`;
    if (!names.has(key)) {
      if (shared[name] !== undefined) return described;
      names.set(key, name);
      shared[name] = described;
    }
    return { $ref: `#/components/responses/${name}` };
  };
}
