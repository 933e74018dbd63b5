/**
 * A call without a usable answer. The class says what the caller must do; `code` is the outcome for
 * the ledger. There is never a `cause`, because errors of `fetch` quote the URL with the credentials.
 */
export abstract class StorefrontError extends Error {
  readonly code: string;
  /** Whether the upstream may have counted the call. Only a call that was never sent is not spent. */
  readonly spent: boolean;

  constructor(code: string, message: string, spent = true) {
    super(message);
    this.code = code;
    this.spent = spent;
  }
}

/** The daily limit is reached: no call before the upstream's date changes. */
export class StopForToday extends StorefrontError {
  override readonly name = "StopForToday";
}

/** The hourly limit is reached: no call before the clock reaches minute 00. */
export class StopForHour extends StorefrontError {
  override readonly name = "StopForHour";
}

/** Too many calls in a short time (429): no call for a while. */
export class SlowDown extends StorefrontError {
  override readonly name = "SlowDown";
  /** As the upstream asks; null: it does not say. */
  readonly retryAfterMs: number | null;

  constructor(retryAfterMs: number | null) {
    const asked = retryAfterMs === null ? "" : `: no call for ${retryAfterMs / 1000} s`;
    super("http_429", `the storefront answered status 429${asked}`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The credentials are refused: no call succeeds until an operator corrects them. */
export class FixCredentials extends StorefrontError {
  override readonly name = "FixCredentials";
}

/** The parameters are refused: the same call must not be sent again. */
export class FixRequest extends StorefrontError {
  override readonly name = "FixRequest";
}

/** No connection could be made: every call fails until one can. */
export class NoConnection extends StorefrontError {
  override readonly name = "NoConnection";
}

/** Timeout, overload or a lost connection: the same call may succeed later. It may have been counted. */
export class RetryLater extends StorefrontError {
  override readonly name = "RetryLater";
}

/** An answer that is not specified: nothing may be concluded from it. */
export class BadReply extends StorefrontError {
  override readonly name = "BadReply";
}

type Failure = new (code: string, message: string) => StorefrontError;

const apiErrors = new Map<string, Failure>([
  ["day_api_limit", StopForToday],
  ["hour_api_limit", StopForHour],
  ["auth_error", FixCredentials],
  ["invalid_request", FixCredentials],
  ["search_error", FixRequest],
  ["bad_params", FixRequest],
]);

/** The failure for an `error` of section 7. Both texts must not contain credentials. */
export function toApiError(error: string, description: string): StorefrontError {
  const ApiFailure = apiErrors.get(error);
  const explained = description === "" ? error : `${error}: ${description}`;
  if (ApiFailure) return new ApiFailure(error, `the storefront refused the call: ${explained}`);
  return new BadReply("unknown_error", `the storefront answered an unknown error: ${explained}`);
}
