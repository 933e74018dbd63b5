/** An error as it may be logged: what happened and where, never what data it happened to. */
export interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack: string;
  cause?: LoggedError;
}

const MAX_MESSAGE_CHARS = 500;
const MAX_CAUSES = 4;

/**
 * Takes over a fixed set of fields. What else an error carries stays out: a failed query has its
 * whole text and parameters (pages of products), Postgres quotes the offending row in `detail`, and
 * `fetch` and `URL` keep the address they were given.
 */
export function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: "" };
  const message = toErrorMessage(error);
  const type = error.name === "Error" ? error.constructor.name : error.name;
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type,
    message,
    ...(code === null ? {} : { code: oneLine(code, 60) }),
    stack: [`${type}: ${message}`, ...frames].join("\n"),
    ...(error.cause instanceof Error && depth < MAX_CAUSES
      ? { cause: toLoggedError(error.cause, depth + 1) }
      : {}),
  };
}

/** An error's message on one line, without a query's parameters; of a query its beginning and its cause. */
export function toErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  if (!("query" in error && "params" in error)) return oneLine(error.message);
  const cause = error.cause instanceof Error ? `: ${oneLine(error.cause.message)}` : "";
  return `${oneLine(`Failed query: ${String(error.query)}`, 150)}${cause}`;
}

/** Line breaks and terminal escapes in what others wrote must not forge lines of the log. */
export function oneLine(text: string, maxChars = MAX_MESSAGE_CHARS): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").replaceAll(/ {2,}/g, " ");
  return plain.length <= maxChars ? plain : `${plain.slice(0, maxChars).toWellFormed()}…`;
}
