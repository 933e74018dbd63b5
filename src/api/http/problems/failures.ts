import { HTTPException } from "hono/http-exception";
import { isUnavailable } from "../../../db/transact.ts";
import { KeysUnknown } from "../../../keys/keyring.ts";
import { LaneFull } from "../lanes.ts";
import type { Logger } from "../../../lib/logger.ts";
import { EngineRefused, EngineUnavailable } from "../../../search/engine/engine.ts";
import type { ApiEnv, ApiContext } from "../deps.ts";
import { answerProblem } from "./instantsearch-problem.ts";
import { Problem, toLogFields, type ProblemDetails } from "./problem.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";

export type ProblemAnswer = (
  c: ApiContext,
  details: ProblemDetails,
) => Response | Promise<Response>;

/** Logs failures and turns them into answers, in this one place. Answers contain no text of the failure. */
export function createFailureHandler(logger: Logger, answer: ProblemAnswer = answerProblem) {
  return (error: unknown, c: ApiContext): Response | Promise<Response> => {
    const details = toProblemDetails(error);
    // A full lane is no failure, so it is not logged; metrics count it.
    if (details.status >= 500 && !(error instanceof LaneFull)) {
      const level = details.status === 500 ? "error" : "warn";
      logger[level](toLogFields(error, c.get("requestId")), details.detail);
    }
    return answer(c, details);
  };
}

function toProblemDetails(error: unknown): ProblemDetails {
  if (error instanceof Problem) return error.details;
  if (error instanceof HTTPException) return httpProblems.get(error.status) ?? internal;
  if (error instanceof LaneFull) return busy;
  if (error instanceof EngineRefused) return refused;
  if (error instanceof EngineUnavailable) {
    return unavailable("search_unavailable", "the search engine does not answer");
  }
  if (error instanceof KeysUnknown) {
    return unavailable("keys_unavailable", "API keys cannot be checked now");
  }
  if (isUnavailable(error)) {
    return unavailable("database_unavailable", "the database does not answer");
  }
  return internal;
}

function unavailable(code: string, detail: string): ProblemDetails {
  return { status: 503, code, detail, headers: { "Retry-After": "5" } };
}
export function refuseForNow(code: string, detail: string): never {
  throw new Problem(unavailable(code, detail));
}

const busy = unavailable(
  "busy",
  "too many requests of this size are under way; smaller ones are answered at once",
);

const refused: ProblemDetails = {
  status: 400,
  code: "search_refused",
  detail: "the search engine cannot read this search",
};

/** Failures that Hono and its middleware throw. */
const httpProblems = new Map<number, ProblemDetails>([
  [400, { status: 400, code: "malformed_json", detail: "the body is not valid JSON" }],
  [413, { status: 413, code: "body_too_large", detail: "the body is too large" }],
  [
    415,
    {
      status: 415,
      code: "unsupported_media_type",
      detail: "the body must be sent as application/json",
    },
  ],
]);

const internal: ProblemDetails = {
  status: 500,
  code: "internal_error",
  detail: "something went wrong on our side; the request_id helps us to find it",
};

/** 404 for unknown addresses, 405 with `Allow` for known ones with another method. */
export function createNotFoundHandler(
  app: OpenAPIHono<ApiEnv>,
  answer: ProblemAnswer = answerProblem,
) {
  return (c: ApiContext): Response | Promise<Response> => {
    const allowed = allowedMethods(app, c.req.path);
    if (allowed.length === 0 || allowed.includes(c.req.method)) {
      return answer(c, {
        status: 404,
        code: "not_found",
        detail: "there is nothing at this address; see /openapi.json",
      });
    }
    const allow = allowed.join(", ");
    return answer(c, {
      status: 405,
      code: "method_not_allowed",
      detail: `this address answers ${allow}`,
      headers: { Allow: allow },
    });
  };
}

/** Addresses whose last part a route with a parameter would take for a faulty id. */
export const postedAlone = ["/v1/products/lookup", "/v1/offers/lookup"];

/** The methods that routes have for this address; none for an unknown one. */
export function allowedMethods(app: OpenAPIHono<ApiEnv>, path: string): string[] {
  if (postedAlone.includes(path)) return ["POST"];
  const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  return methods.includes("GET") ? ["HEAD", ...methods] : methods;
}
