import { ApiError, type ApiErrorCode } from "../api-errors.ts";
import { parseScopes, type Scope } from "../scopes.ts";
import { isRegistered, type Application } from "./application.ts";

/** An application's request to the owner (RFC 6749 section 4.1.1). */
export interface AuthorizationRequest {
  redirectUri: string;
  scopes: Scope[];
  state: string | null;
  challenge: string | null;
}

/** A fault that is reported to the application through the browser (section 4.1.2.1). */
export class RedirectedError extends Error {
  override readonly name = "RedirectedError";
  readonly location: string;

  constructor(request: Pick<AuthorizationRequest, "redirectUri" | "state">, code: ApiErrorCode) {
    super(code);
    this.location = answerTo(request, { error: code });
  }
}

const mostChars = 2_000;

/**
 * Throws an `ApiError`, without a redirect, if the application or its address is unknown; for other
 * faults a `RedirectedError`.
 */
export function readAuthorizationRequest(
  sent: URLSearchParams,
  app: Application,
): AuthorizationRequest {
  const one = (name: string) => {
    const values = sent.getAll(name);
    const isUsable = values.length <= 1 && (values[0] ?? "").length <= mostChars;
    if (!isUsable) throw new ApiError("bad_params", `パラメータ「${name}」が正しくありません。`);
    return values[0] ?? null;
  };
  const redirectUri = one("redirect_uri") ?? "";
  if (one("client_id") !== app.clientId) throw new ApiError("invalid_client");
  if (!isRegistered(app, redirectUri)) {
    throw new ApiError("bad_params", "redirect_uriが登録されていません。");
  }
  const state = one("state");
  const to = { redirectUri, state };
  const type = one("response_type");
  if (type === null) throw new RedirectedError(to, "invalid_request");
  if (type !== "code") throw new RedirectedError(to, "unsupported_response_type");
  const scopes = parseScopes(one("scope") ?? "");
  if (!scopes) throw new RedirectedError(to, "invalid_scope");
  const challenge = one("code_challenge");
  const method = one("code_challenge_method");
  const isPlain = challenge !== null && method !== "S256";
  if (isPlain || (challenge !== null && !/^[\w-]{43}$/.test(challenge))) {
    throw new RedirectedError(to, "invalid_request");
  }
  return { redirectUri, scopes, state, challenge };
}

/** The address to which the browser takes the answer. */
export function answerTo(
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  return url.href;
}
