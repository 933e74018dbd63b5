import { z } from "zod";
import { unescapeMarkup } from "../../lib/escape-markup.ts";
import type { Application } from "../oauth/application.ts";
import { newSecret } from "../oauth/secrets.ts";

/** How an owner's browser and application reach the API. */
export interface OwnerAccess {
  /** The API's `{base_url}`. */
  url: string;
  application: Application;
  login: string;
  password: string;
  scopes: readonly string[];
  fetch?: typeof fetch;
}

const tokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
});
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** Signs in through the page like a browser, and exchanges the code. Throws if refused. */
export async function signIn(access: OwnerAccess): Promise<TokenAnswer> {
  const [redirectUri = ""] = access.application.redirectUris;
  const code = await fetchCode(access, redirectUri);
  return askForToken(access, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
  });
}

export function renew(access: OwnerAccess, refreshToken: string): Promise<TokenAnswer> {
  return askForToken(access, { grant_type: "refresh_token", refresh_token: refreshToken });
}

async function fetchCode(access: OwnerAccess, redirectUri: string): Promise<string> {
  const { url, application, login, scopes } = access;
  const state = newSecret();
  const query = new URLSearchParams({
    response_type: "code",
    client_id: application.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state,
  });
  const location = await allowAt(new URL(`${url}/1/oauth/authorize?${query.toString()}`), access);
  const arrived = location?.searchParams;
  const code = arrived?.get("code") ?? null;
  if (code === null || arrived?.get("state") !== state) {
    throw new Error(`${login} could not sign in`);
  }
  return code;
}

/** Fills in the sign-in page like a browser without scripts; null if the sign-in is refused. */
export async function allowAt(
  authorizeUrl: URL,
  { login, password, fetch: fetcher = fetch }: Pick<OwnerAccess, "login" | "password" | "fetch">,
): Promise<URL | null> {
  const headers = { accept: "text/html" };
  const shown = await fetcher(authorizeUrl, { redirect: "manual", headers });
  const html = await shown.text();
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1];
  if (shown.status !== 200 || action === undefined) throw new Error("no sign-in page was shown");
  const form = new URLSearchParams({ login, password, decision: "allow" });
  for (const [, name = "", value = ""] of html.matchAll(
    /<input type="hidden" name="(\w+)" value="([^"]*)"/g,
  )) {
    form.set(name, unescapeMarkup(value));
  }
  const [cookie = ""] = (shown.headers.get("set-cookie") ?? "").split(";");
  const answer = await fetcher(new URL(action, authorizeUrl), {
    method: "POST",
    redirect: "manual",
    headers: { ...headers, cookie },
    body: form,
  });
  const location = answer.headers.get("location");
  return location === null ? null : new URL(location);
}

async function askForToken(
  { url, application, fetch: fetcher = fetch }: OwnerAccess,
  form: Record<string, string>,
): Promise<TokenAnswer> {
  const { clientId: client_id, clientSecret: client_secret } = application;
  const answer = await fetcher(`${url}/1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id, client_secret, ...form }),
  });
  const body: unknown = await answer.json();
  if (answer.status !== 200) throw new Error(`no token was given: ${JSON.stringify(body)}`);
  return tokenAnswer.parse(body);
}
