import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiEnv } from "./env.ts";
import type { ProblemAnswer } from "./failures.ts";
import { answerProblem } from "./instantsearch-problem.ts";

/** 404 for unknown addresses, 405 with `Allow` for known ones with another method. */
export function createNotFoundHandler(
  app: OpenAPIHono<ApiEnv>,
  answer: ProblemAnswer = answerProblem,
) {
  return (c: Context<ApiEnv>): Response | Promise<Response> => {
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
