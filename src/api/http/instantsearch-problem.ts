import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isOutage, isTimeout } from "../../db/transact.ts";
import { LaneFull } from "../../lib/lane.ts";
import type { Logger } from "../../lib/logger.ts";
import { EngineRefused, EngineUnavailable } from "../../search/engine/engine.ts";
import { FilterFault } from "../../search/instantsearch/filter-grammar.ts";
import type { ApiEnv } from "./env.ts";
import { Problem, toProblemResponse, type ProblemDetails } from "./problem.ts";

/** Whether the request is to `/meili`. */
export const maxBodyBytes = 262_144;

/** A failure in Meilisearch's format, for its clients. */
export class MeiliProblem extends Error {
  override readonly name = "MeiliProblem";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly headers: Record<string, string>;
  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const meiliProblemSchema = z
  .object({ message: z.string(), code: z.string(), type: z.string(), link: z.string() })
  .openapi("MeilisearchError");

/** Turns failures of `/meili` into answers, in this one place. Answers contain no internal text. */
export function createMeiliFailureHandler(logger: Logger) {
  return (error: unknown, c: Context<ApiEnv>): Response => {
    const problem = toMeiliProblem(error);
    const { status, message } = problem;
    if (status >= 500 && !(error instanceof LaneFull))
      logger.warn({ err: error, requestId: c.get("requestId") }, message);
    return send(c, problem);
  };
}

/** Answers failures of everything but the pages; below `/meili` in Meilisearch's format. */
export function answerProblem(c: Context<ApiEnv>, details: ProblemDetails): Response {
  if (!/^\/meili(\/|$)/.test(c.req.path)) return toProblemResponse(c, details);
  return send(c, ofDetails(details));
}

function send(c: Context<ApiEnv>, { status, code, message, headers }: MeiliProblem): Response {
  const body = {
    message,
    code,
    type:
      status >= 500 ? "internal" : status === 401 || status === 403 ? "auth" : "invalid_request",
    link: `https://docs.meilisearch.com/errors#${code}`,
  };
  return c.json(body, status, {
    ...(status === 503 ? { "Retry-After": "5" } : {}),
    ...headers,
    "Cache-Control": "no-store",
  });
}

function toMeiliProblem(error: unknown): MeiliProblem {
  if (error instanceof MeiliProblem) return error;
  if (error instanceof FilterFault) {
    return new MeiliProblem(400, "invalid_search_filter", `Invalid filter: ${error.message}.`);
  }
  if (error instanceof EngineRefused) {
    return new MeiliProblem(400, error.code, "The search engine cannot read this search.");
  }
  if (error instanceof LaneFull) {
    return new MeiliProblem(
      503,
      "too_many_search_requests",
      "Too many requests of this size are under way; smaller ones are answered at once.",
    );
  }
  if (error instanceof HTTPException) return ofHttp(error.status);
  if (error instanceof Problem) return ofDetails(error.details);
  if (error instanceof EngineUnavailable || isOutage(error) || isTimeout(error)) {
    return new MeiliProblem(503, "unavailable", "The search is not available now.");
  }
  return new MeiliProblem(500, "internal", "Something went wrong on our side.");
}

/** Meilisearch's codes for failures of keys and limits. */
const codes = new Map([
  ["missing_key", "missing_authorization_header"],
  ["invalid_key", "invalid_api_key"],
  ["origin_not_allowed", "invalid_api_key"],
  ["too_many_requests", "too_many_search_requests"],
]);

function ofDetails({ status, code, detail, headers }: ProblemDetails): MeiliProblem {
  return new MeiliProblem(status, codes.get(code) ?? code, detail, headers);
}

function ofHttp(status: number): MeiliProblem {
  switch (status) {
    case 413:
      return new MeiliProblem(
        413,
        "payload_too_large",
        `The request is too large: at most ${maxBodyBytes} bytes are allowed.`,
      );
    case 415:
      return new MeiliProblem(
        415,
        "invalid_content_type",
        "The body must be sent as application/json.",
      );
    default:
      return new MeiliProblem(400, "malformed_payload", "The body is not valid JSON.");
  }
}
