import { ApiError } from "../api-errors.ts";
import { parseScopes } from "../scopes.ts";
import { isApplication, type Application } from "./application.ts";
import type { Grants } from "./grants.ts";

/** Answers the token operation (RFC 6749 sections 4.1.3 and 6); throws an `ApiError` of section 5.2. */
export function answerToken(
  form: URLSearchParams,
  authorization: string | undefined,
  { application, grants }: { application: Application; grants: Grants },
) {
  const clientId = authenticate(form, authorization, application);
  switch (one(form, "grant_type")) {
    case "authorization_code":
      return grants.spendCode(needed(form, "code"), {
        clientId,
        redirectUri: needed(form, "redirect_uri"),
        verifier: one(form, "code_verifier"),
      });
    case "refresh_token":
      return grants.refresh(needed(form, "refresh_token"), {
        clientId,
        scopes: askedScopes(form),
      });
    case null:
      throw incomplete("grant_type");
    default:
      throw new ApiError("unsupported_grant_type");
  }
}

/** Accepts the form or HTTP Basic, not both; resolves to the client id. */
function authenticate(
  form: URLSearchParams,
  authorization: string | undefined,
  application: Application,
): string {
  const basic = authorization === undefined ? null : readBasic(authorization);
  if (authorization !== undefined && (basic === null || form.has("client_secret"))) {
    throw new ApiError("invalid_client");
  }
  const clientId = basic?.id ?? one(form, "client_id") ?? "";
  const clientSecret = basic?.secret ?? one(form, "client_secret") ?? "";
  if (!isApplication(application, clientId, clientSecret)) throw new ApiError("invalid_client");
  return clientId;
}

/** RFC 6749 section 2.3.1: both halves are form-encoded before they are joined. */
function readBasic(header: string): { id: string; secret: string } | null {
  const encoded = /^Basic ([\w+/=-]+)$/i.exec(header)?.[1];
  const [id, secret, ...rest] = Buffer.from(encoded ?? "", "base64")
    .toString()
    .split(":");
  if (id === undefined || secret === undefined || rest.length > 0) return null;
  const decode = (text: string) => new URLSearchParams(`x=${text}`).get("x") ?? "";
  return { id: decode(id), secret: decode(secret) };
}

function askedScopes(form: URLSearchParams) {
  const text = one(form, "scope");
  if (text === null) return null;
  const scopes = parseScopes(text);
  if (!scopes) throw new ApiError("invalid_scope");
  return scopes;
}

/** RFC 6749 section 3.2: a parameter without a value counts as absent, and none may be repeated. */
function one(form: URLSearchParams, name: string): string | null {
  const values = form.getAll(name);
  if (values.length > 1) throw incomplete(name);
  return values[0] || null;
}

function needed(form: URLSearchParams, name: string): string {
  const value = one(form, name);
  if (value === null) throw incomplete(name);
  return value;
}

function incomplete(name: string): ApiError {
  return new ApiError("invalid_request", `パラメータ「${name}」が正しくありません。`);
}
