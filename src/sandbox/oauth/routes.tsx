import { Hono, type Context } from "hono";
import { getCookie } from "hono/cookie";
import { lifetimes } from "../assumptions.ts";
import { ApiError, type ApiErrorCode } from "../api-errors.ts";
import { ownerPassword } from "../credentials.ts";
import type { Marketplace } from "../market/marketplace.ts";
import { page } from "../pages/layout.tsx";
import { RefusedPage, SignInPage, signInPath } from "../pages/sign-in.tsx";
import { jsonReply, readForm } from "../http.ts";
import type { Journal } from "../state/journal.ts";
import { parseScopes, type Scope } from "../scopes.ts";
import { type Application, isRegistered } from "./application.ts";
import { createFormSeal, isSameText, newSecret } from "./secrets.ts";
import type { Grants } from "./grants.ts";
import { answerToken } from "./token.ts";

export interface OauthOptions {
  application: Application;
  grants: Grants;
  market: Marketplace;
  journal: Journal;
}

const cookieName = "storefront_sign_in";

/** The way to an access token: sign-in page, code, exchange (RFC 6749 sections 4.1 and 6). */
export function createOauthRoutes(options: OauthOptions): Hono {
  const { application, grants, market, journal } = options;
  const seals = createFormSeal(market.nowSeconds, lifetimes.signInPage);
  const app = new Hono();

  app.get("/1/oauth/authorize", (c) => {
    const query = new URL(c.req.url).searchParams;
    return withRefusals(c, () => show(c, readAuthorizationRequest(query, application), query));
  });

  app.post(signInPath, (c) =>
    withRefusals(c, async () => {
      const form = await readForm(c.req.raw);
      const query = new URLSearchParams(form.get("request") ?? "");
      const browser = getCookie(c, cookieName);
      const seal = form.get("seal") ?? "";
      if (!isOwnOrigin(c) || !browser || !seals.isIntact(seal, browser, query.toString())) {
        throw new ApiError("access_denied", "ページの有効期限が切れました。");
      }
      const request = readAuthorizationRequest(query, application);
      if (form.get("decision") !== "allow") throw new RedirectedError(request, "access_denied");
      const login = form.get("login") ?? "";
      const shop = market.shops.byLogin(login);
      if (!isSameText(form.get("password") ?? "", ownerPassword) || !shop) {
        return show(c, request, query, login);
      }
      const code = grants.issueCode({
        ...request,
        shopId: shop.shop_id,
        clientId: application.clientId,
      });
      await journal.flush();
      return redirect(answerTo(request, { code }));
    }),
  );

  app.post("/1/oauth/token", async (c) => {
    const body = answerToken(await readForm(c.req.raw), c.req.header("authorization"), options);
    await journal.flush();
    return jsonReply(200, body, { "cache-control": "no-store", pragma: "no-cache" });
  });

  function show(
    c: Context,
    request: AuthorizationRequest,
    query: URLSearchParams,
    failedLogin: string | null = null,
  ): Response {
    const browser = getCookie(c, cookieName) || newSecret();
    const text = query.toString();
    const secure = new URL(c.req.url).protocol === "https:" ? "; Secure" : "";
    const cookie = `${cookieName}=${browser}; Path=/oauth; Max-Age=${lifetimes.signInPage}; HttpOnly; SameSite=Lax${secure}`;
    return page(
      <SignInPage
        application={application.clientId}
        request={text}
        seal={seals.seal(browser, text)}
        scopes={request.scopes}
        redirectHost={new URL(request.redirectUri).host}
        failedLogin={failedLogin}
      />,
      failedLogin === null ? 200 : 400,
      { "set-cookie": cookie },
    );
  }

  return app;
}

/** Reports faults to the application where that is allowed, and otherwise to the user. */
async function withRefusals(
  c: Context,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof RedirectedError) return redirect(error.location);
    const isPerson = c.req.header("accept")?.includes("text/html") ?? false;
    if (!(error instanceof ApiError) || !isPerson) throw error;
    return page(<RefusedPage description={error.description} />, 400);
  }
}

/** Browsers that send `Origin` name the site of the form. */
function isOwnOrigin(c: Context): boolean {
  const origin = c.req.header("origin");
  return origin === undefined || origin === new URL(c.req.url).origin;
}

/** 303, so that the browser does not send the form to the application. */
function redirect(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

/** An application's request to the owner (RFC 6749 section 4.1.1). */
export interface AuthorizationRequest {
  redirectUri: string;
  scopes: Scope[];
  state: string | null;
  challenge: string | null;
}

/** A fault that is reported to the application through the browser (section 4.1.2.1). */
class RedirectedError extends Error {
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
function readAuthorizationRequest(sent: URLSearchParams, app: Application): AuthorizationRequest {
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
function answerTo(
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  return url.href;
}
