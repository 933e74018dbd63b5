import { z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isUnavailable } from "../../../db/transact.ts";
import { LaneFull } from "../lanes.ts";
import type { Logger } from "../../../lib/logger.ts";
import { EngineRefused, EngineUnavailable } from "../../../search/engine/engine.ts";
import { QueryFault } from "../../../search/instantsearch/query-fault.ts";
import type { ApiContext } from "../deps.ts";
import { Problem, toLogFields, toProblemResponse, type ProblemDetails } from "./problem.ts";

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
  .object({
    message: z.string(),
    code: z.string().describe("one of Meilisearch's error codes"),
    type: z.enum(["invalid_request", "auth", "system", "internal"]),
    link: z.string(),
  })
  .openapi("MeilisearchError", {
    example: {
      message: "Index `films` not found.",
      code: "index_not_found",
      type: "invalid_request",
      link: "https://docs.meilisearch.com/errors#index_not_found",
    },
  });

/** Turns failures of `/meili` into answers, in this one place. Answers contain no internal text. */
export function createMeiliFailureHandler(logger: Logger) {
  return (error: unknown, c: ApiContext): Response => {
    const problem = toMeiliProblem(error);
    const { status, message } = problem;
    if (status >= 500 && !(error instanceof LaneFull))
      logger.warn(toLogFields(error, c.get("requestId")), message);
    return send(c, problem);
  };
}

/** Answers failures of everything but the pages; below `/meili` in Meilisearch's format. */
export function answerProblem(c: ApiContext, details: ProblemDetails): Response {
  if (!/^\/meili(\/|$)/.test(c.req.path)) return toProblemResponse(c, details);
  return send(c, ofDetails(details));
}

function send(c: ApiContext, { status, code, message, headers }: MeiliProblem): Response {
  const body: z.infer<typeof meiliProblemSchema> = {
    message,
    code,
    type: types.get(code) ?? "invalid_request",
    link: `https://docs.meilisearch.com/errors#${code}`,
  };
  return c.json(body, status, {
    ...(status === 503 ? { "Retry-After": "5" } : {}),
    ...headers,
    "Cache-Control": "no-store",
  });
}

const types = new Map<string, z.infer<typeof meiliProblemSchema>["type"]>([
  ["missing_authorization_header", "auth"],
  ["invalid_api_key", "auth"],
  ["too_many_search_requests", "system"],
  ["internal", "internal"],
]);

function toMeiliProblem(error: unknown): MeiliProblem {
  if (error instanceof MeiliProblem) return error;
  if (error instanceof QueryFault) return new MeiliProblem(400, error.code, error.message);
  if (error instanceof EngineRefused) {
    return new MeiliProblem(400, error.code, refusalText(error));
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
  if (error instanceof EngineUnavailable || isUnavailable(error)) {
    return new MeiliProblem(503, "internal", "The search is not available now.");
  }
  return new MeiliProblem(500, "internal", "Something went wrong on our side.");
}

/** The engine's own words may name what only the inside knows. */
function refusalText({ message }: EngineRefused): string {
  const incompatible =
    /Inside `\.queries\[\d+\]`: The results of queries #\d+ and #\d+ are incompatible/;
  const [found] = incompatible.exec(message) ?? [];
  return found
    ? `${found}: they are ordered differently.`
    : "The search engine cannot read this search.";
}

/** The codes for the statuses that middleware answers with. */
const statusCodes: ReadonlyMap<number, string> = new Map([
  [403, "invalid_api_key"],
  [413, "payload_too_large"],
  [415, "invalid_content_type"],
  [429, "too_many_search_requests"],
]);

/** Keeps status, text and headers; codes are Meilisearch's, as its clients know no others. */
function ofDetails(details: ProblemDetails): MeiliProblem {
  const { status, detail, headers } = details;
  if (status === 401) return ofUnauthorized(details);
  return new MeiliProblem(status, statusCodes.get(status) ?? otherCode(details), detail, headers);
}

function otherCode({ status, code }: ProblemDetails): string {
  if (status >= 500) return "internal";
  // Meilisearch sends no body with these two, so it has no codes for them.
  if (status === 404 || status === 405) return code;
  return code === "answer_too_large" ? "invalid_search_limit" : "bad_request";
}

function ofUnauthorized({ code, headers }: ProblemDetails): MeiliProblem {
  return code === "invalid_key"
    ? new MeiliProblem(401, "invalid_api_key", "The provided API key is invalid.", headers)
    : new MeiliProblem(
        401,
        "missing_authorization_header",
        "The Authorization header is missing. It must use the bearer authorization method.",
        headers,
      );
}

const tooLarge = `The provided payload reached the size limit. The maximum accepted payload size is ${maxBodyBytes} bytes.`;
const notJson =
  "The Content-Type is invalid. Accepted values for the Content-Type header are: `application/json`";

function ofHttp(status: number): MeiliProblem {
  if (status === 413) return new MeiliProblem(413, "payload_too_large", tooLarge);
  if (status === 415) return new MeiliProblem(415, "invalid_content_type", notJson);
  return new MeiliProblem(400, "malformed_payload", "The json payload provided is malformed.");
}
