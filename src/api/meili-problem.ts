import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { databaseErrorCode, isOutage } from "../db/transact.ts";
import { LaneFull } from "../lib/lane.ts";
import type { Logger } from "../lib/logger.ts";
import { EngineRefused, EngineUnavailable } from "../search/engine.ts";
import { FilterFault } from "../search/filter-grammar.ts";
import type { ApiEnv } from "./env.ts";
import { Problem } from "./problem.ts";

/** Of a request to `/meili`. */
export const maxBodyBytes = 262_144;

/** A failure in Meilisearch's shape, which its clients know how to read. */
export class MeiliProblem extends Error {
  override readonly name = "MeiliProblem";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  constructor(status: ContentfulStatusCode, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const meiliProblemSchema = z
  .object({ message: z.string(), code: z.string(), type: z.string(), link: z.string() })
  .openapi("MeilisearchError");

/** The only place where failures of `/meili` become answers; nothing of the inside gets out. */
export function createMeiliFailureHandler(logger: Logger) {
  return (error: unknown, c: Context<ApiEnv>): Response => {
    const { status, code, message } = toMeiliProblem(error);
    if (status >= 500 && !(error instanceof LaneFull))
      logger.warn({ err: error, requestId: c.get("requestId") }, message);
    const body = {
      message,
      code,
      type: status >= 500 ? "internal" : "invalid_request",
      link: `https://docs.meilisearch.com/errors#${code}`,
    };
    c.header("Cache-Control", "no-store");
    if (status === 503) c.header("Retry-After", "5");
    return c.json(body, status);
  };
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
  if (error instanceof Problem) {
    const { status, code, detail } = error.details;
    return new MeiliProblem(status, code, detail);
  }
  if (
    error instanceof EngineUnavailable ||
    isOutage(error) ||
    databaseErrorCode(error) === "57014"
  ) {
    return new MeiliProblem(503, "unavailable", "The search does not answer for now.");
  }
  return new MeiliProblem(500, "internal", "Something went wrong on our side.");
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
