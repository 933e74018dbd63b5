import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { ownerPassword } from "../../src/sandbox/credentials.ts";
import {
  signIn,
  createOwnerClient,
  type TokenAnswer,
  type OwnerClient,
} from "../../src/sandbox/scenario/owner-client.ts";
import { scopes } from "../../src/sandbox/scopes.ts";
import type { RunningSandbox } from "../../src/sandbox/server.ts";

function accessOf(sandbox: RunningSandbox, login: string, wanted: readonly string[]) {
  const { url, application } = sandbox;
  return { url, application, login, password: ownerPassword, scopes: wanted };
}

/** Tokens of a shop's owner, as an application gets them. */
export function tokensOf(
  sandbox: RunningSandbox,
  login: string,
  wanted: readonly string[] = scopes,
): Promise<TokenAnswer> {
  return signIn(accessOf(sandbox, login, wanted));
}

export function ownerOf(sandbox: RunningSandbox, login: string): OwnerClient {
  return createOwnerClient(accessOf(sandbox, login, scopes), systemClock);
}

export interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** One call to the general API, GET with a query or POST with a form. */
export async function send(
  sandbox: RunningSandbox,
  call: {
    method: "GET" | "POST";
    path: string;
    token?: string;
    params?: Record<string, string>;
    headers?: Record<string, string>;
  },
): Promise<Reply> {
  const { method, path, token, params = {} } = call;
  const sent = new URLSearchParams(params);
  const query = method === "GET" && sent.size > 0 ? `?${sent.toString()}` : "";
  const response = await fetch(`${sandbox.url}${path}${query}`, {
    method,
    redirect: "manual",
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...call.headers,
    },
    ...(method === "POST" && { body: call.headers?.["content-type"] ? sent.toString() : sent }),
  });
  const text = await response.text();
  const body: unknown = text.startsWith("{") ? JSON.parse(text) : { text };
  return { status: response.status, headers: response.headers, body: Object(body) };
}

/** A shop that has a product with variations, for calls that need one. */
export function itemWithVariations(sandbox: RunningSandbox) {
  return must(
    [...sandbox.catalog.items()].find(
      (item) => item.visible === 1 && item.variations.some((v) => v.variation_stock > 3),
    ),
    "a product with variations in stock",
  );
}
