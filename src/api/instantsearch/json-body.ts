import type { Context, MiddlewareHandler } from "hono";
import type { ApiEnv } from "../http/env.ts";
import { MeiliProblem } from "../http/instantsearch-problem.ts";

/** Refuses a body that is no JSON, as Meilisearch does. The checked text is read again from memory. */
export function jsonBody(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    checkType(c);
    const text = await c.req.text();
    if (text === "") {
      throw new MeiliProblem(400, "missing_payload", "A json payload is missing.");
    }
    checkJson(text);
    await next();
  };
}

const accepted = "Accepted values for the Content-Type header are: `application/json`";

function checkType(c: Context<ApiEnv>): void {
  const type = c.req.header("Content-Type");
  if (type === undefined) {
    const message = `A Content-Type header is missing. ${accepted}`;
    throw new MeiliProblem(415, "missing_content_type", message);
  }
  const [media = ""] = type.split(";");
  if (media.trim().toLowerCase() === "application/json") return;
  const message = `The Content-Type \`${type.slice(0, 100).toWellFormed()}\` is invalid. ${accepted}`;
  throw new MeiliProblem(415, "invalid_content_type", message);
}

function checkJson(text: string): void {
  try {
    // Halves of a surrogate pair can only be written as escapes, so other texts need no second look.
    JSON.parse(text, /\\ud/i.test(text) ? refuseHalves : undefined);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200).toWellFormed() : "unreadable";
    throw new MeiliProblem(
      400,
      "malformed_payload",
      `The json payload provided is malformed. \`${why}\`.`,
    );
  }
}

function refuseHalves(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== "string" || value.isWellFormed())) return value;
  throw new SyntaxError("half of a surrogate pair");
}
