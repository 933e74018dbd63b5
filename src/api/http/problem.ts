import { STATUS_CODES } from "node:http";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ApiEnv } from "./env.ts";
import { problemLanguage, problemText, problemTitle } from "./problem-language.ts";
import { instantSchema } from "./schema-parts.ts";

export interface ParameterFault {
  parameter: string;
  message: string;
}

export interface ProblemDetails {
  status: ContentfulStatusCode;
  /** Stable, for programs. */
  code: string;
  /** For people. Never contains internal text. */
  detail: string;
  errors?: ParameterFault[];
  headers?: Record<string, string>;
  /** Further members of the body. */
  extra?: Record<string, string>;
}

/** A failure for the caller, answered as application/problem+json. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly details: ProblemDetails;
  constructor(details: ProblemDetails) {
    super(details.detail);
    this.details = details;
  }
}

/** What the log has of a failure beside its text: of a `Problem`, which we made ourselves, no stack. */
export function toLogFields(error: unknown, requestId: string): Record<string, unknown> {
  return error instanceof Problem ? { requestId } : { err: error, requestId };
}

export function refuse(status: ContentfulStatusCode, code: string, detail: string): never {
  throw new Problem({ status, code, detail });
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
  .openapi("Problem", {
    example,
  });

/** In the client's language, but for codes and names, which programs read. */
export function toProblemResponse(c: Context<ApiEnv>, details: ProblemDetails): Response {
  const language = problemLanguage(c);
  const errors = (details.errors ?? []).map(({ parameter, message }) => ({
    parameter,
    message: problemText(message, language),
  }));
  c.header("Vary", "Accept-Language", { append: true });
  const body = {
    type: "about:blank",
    title: problemTitle(details.status, STATUS_CODES[details.status] ?? "Error", language),
    status: details.status,
    code: details.code,
    detail: problemText(details.detail, language),
    request_id: c.get("requestId"),
    errors,
    ...details.extra,
  };
  return c.body(JSON.stringify(body), details.status, {
    ...details.headers,
    "Content-Type": "application/problem+json; charset=utf-8",
    "Content-Language": language,
    "Cache-Control": "no-store",
  });
}

const deletedSchema = problemSchema
  .extend({ gone_at: instantSchema })
  .openapi("GoneProblem", { example: { ...example, gone_at: "2023-11-14T22:13:20Z" } });

const content = { "application/problem+json": { schema: problemSchema } };

/** The documented failures, to spread into a route's `responses`. */
export const badRequest = {
  400: { description: "Names every invalid parameter", content },
} as const;
export const notFound = { 404: { description: "Never seen", content } } as const;
export const gone = {
  410: {
    description: "Proven deleted; `gone_at` says when that was seen",
    content: { "application/problem+json": { schema: deletedSchema } },
  },
} as const;
const tooMany = {
  429: {
    description: "Too many requests; `Retry-After` says after how many seconds to try again",
    content,
  },
} as const;
export const conflict = { 409: { description: "Exists or is active already", content } } as const;
export const unauthorized = { 401: { description: "No valid ops token", content } } as const;
/** Failures that every ops route may answer. */
export const overloaded = {
  ...tooMany,
  503: {
    description: "Not available now; `Retry-After` says after how many seconds to try again",
    content,
  },
} as const;
/** Failures that every public route may answer. */
export const unavailable = {
  401: { description: "No live API key, or none where one is needed", content },
  403: { description: "The API key is for pages of other origins", content },
  ...overloaded,
} as const;
