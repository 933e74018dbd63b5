import { errorCode } from "./error-code.ts";
import { textExcerpt } from "./json-excerpt.ts";

/** The part of an error that may be logged: what happened and where, never the data. */
export interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack: string;
  cause?: LoggedError;
}

const maxMessageChars = 500;
const maxCauses = 4;

/**
 * Copies a fixed set of fields. All others are left out: a failed query contains its text and parameters
 * (pages of products), Postgres quotes the row in `detail`, and `fetch` and `URL` contain the address.
 */
export function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: "" };
  const message = toErrorMessage(error);
  const type = error.name === "Error" ? error.constructor.name : error.name;
  const code = errorCode(error);
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type,
    message,
    ...(code === null ? {} : { code: oneLine(code, 60) }),
    stack: [`${type}: ${message}`, ...frames].join("\n"),
    ...(error.cause instanceof Error && depth < maxCauses
      ? { cause: toLoggedError(error.cause, depth + 1) }
      : {}),
  };
}

/** An error's message on one line; for a failed query its beginning and the cause, without parameters. */
export function toErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  if (!("query" in error && "params" in error)) return oneLine(error.message);
  const cause = error.cause instanceof Error ? `: ${oneLine(error.cause.message)}` : "";
  return `${oneLine(`Failed query: ${String(error.query)}`, 150)}${cause}`;
}

/** `toErrorMessage` for people who do not know the query: only why it failed. */
export function toReason(error: unknown): string {
  const isQuery = error instanceof Error && "query" in error && error.cause instanceof Error;
  return toErrorMessage(isQuery ? error.cause : error);
}

/** Foreign texts must not forge log lines with line breaks or terminal escapes. */
export function oneLine(text: string, maxChars = maxMessageChars): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").replaceAll(/ {2,}/g, " ");
  return textExcerpt(plain, maxChars);
}
