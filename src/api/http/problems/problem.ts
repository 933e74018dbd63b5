import { STATUS_CODES } from "node:http";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ApiContext } from "../deps.ts";
import { problemLanguage, problemText, problemTitle } from "./problem-language.ts";

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

export function refuse(
  status: ContentfulStatusCode,
  code: string,
  detail: string,
  more?: Pick<ProblemDetails, "errors" | "headers" | "extra">,
): never {
  throw new Problem({ status, code, detail, ...more });
}

/** In the client's language, but for codes and names, which programs read. */
export function toProblemResponse(c: ApiContext, details: ProblemDetails): Response {
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
