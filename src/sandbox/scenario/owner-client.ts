import { z } from "zod";
import type { Clock } from "../../lib/clock.ts";
import { unescapeMarkup } from "../../lib/escape-markup.ts";
import { errorEnvelope } from "../../storefront/wire.ts";
import type { Application } from "../oauth/application.ts";
import { newSecret } from "../oauth/secrets.ts";

/** How an owner's browser and application reach the API. */
interface OwnerAccess {
  /** The API's `{base_url}`. */
  url: string;
  application: Application;
  login: string;
  password: string;
  scopes: readonly string[];
}

/** A call that was refused, with the service's code. */
class CallRefused extends Error {
  override readonly name = "CallRefused";
}

/** A token that expires within this time is refreshed before use. */
const renewBeforeMs = 60_000;

export type OwnerClient = ReturnType<typeof createOwnerClient>;

/** The application of one owner: signs in at the first call and refreshes its token. */
export function createOwnerClient(access: OwnerAccess, clock: Clock) {
  let token: { answer: TokenAnswer; endsAtMs: number } | null = null;

  async function accessToken(): Promise<string> {
    if (!token || clock.monotonicMs() >= token.endsAtMs - renewBeforeMs) {
      const refresh_token = token?.answer.refresh_token;
      const answer = refresh_token
        ? await askForToken(access, { grant_type: "refresh_token", refresh_token })
        : await signIn(access);
      token = { answer, endsAtMs: clock.monotonicMs() + answer.expires_in * 1000 };
    }
    return token.answer.access_token;
  }

  async function call<T>(path: string, init: RequestInit, schema: z.ZodType<T>): Promise<T> {
    const answer = await fetch(`${access.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${await accessToken()}` },
    });
    const body: unknown = await answer.json();
    if (answer.status === 200) return schema.parse(body);
    const { error, error_description } = errorEnvelope.parse(body);
    throw new CallRefused(`${path}: ${error} (${error_description ?? ""})`);
  }

  return {
    get: <T>(path: string, params: Record<string, string>, schema: z.ZodType<T>) =>
      call(`${path}?${new URLSearchParams(params).toString()}`, {}, schema),
    post: <T>(path: string, form: Record<string, string>, schema: z.ZodType<T>) =>
      call(path, { method: "POST", body: new URLSearchParams(form) }, schema),
  };
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
  { login, password }: Pick<OwnerAccess, "login" | "password">,
): Promise<URL | null> {
  const headers = { accept: "text/html" };
  const shown = await fetch(authorizeUrl, { redirect: "manual", headers });
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
  const answer = await fetch(new URL(action, authorizeUrl), {
    method: "POST",
    redirect: "manual",
    headers: { ...headers, cookie },
    body: form,
  });
  const location = answer.headers.get("location");
  return location === null ? null : new URL(location);
}

async function askForToken(
  { url, application }: OwnerAccess,
  form: Record<string, string>,
): Promise<TokenAnswer> {
  const { clientId: client_id, clientSecret: client_secret } = application;
  const answer = await fetch(`${url}/1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id, client_secret, ...form }),
  });
  const body: unknown = await answer.json();
  if (answer.status !== 200) throw new Error(`no token was given: ${JSON.stringify(body)}`);
  return tokenAnswer.parse(body);
}
