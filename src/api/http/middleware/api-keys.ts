import { Counter } from "prom-client";
import { anonymousKey, type Allowance } from "../../../keys/key-use.ts";
import type { LiveKey } from "../../../keys/stored-keys.ts";
import type { ApiDeps, ApiContext, Middleware } from "../deps.ts";
import { registerGauge } from "./metrics.ts";
import { createAddressLimit, tellLimits } from "./rate-limit.ts";
import { refuse } from "../problems/problem.ts";

/** Not limited: orchestrators and scrapers need an answer also under high load. */
export const unlimited = new Set(["/healthz", "/readyz", "/metrics"]);
/** Where a key is read. Elsewhere these headers may belong to a proxy or to ops. */
const keyed = /^\/(v1|meili|go)(\/|$)/;
/** A link in a page cannot send a key. */
const withoutKey = /^\/go(\/|$)/;

type Deps = Pick<
  ApiDeps,
  "apiKeys" | "keys" | "clock" | "clientAddress" | "rateLimitPerMinute" | "registry"
>;

type Outcome = "ok" | "error" | "limited" | "other_origin" | "invalid_key" | "missing_key";

/**
 * Finds the key of a request and holds its limits, or else those of the client's address. A wrong key
 * counts against the address, so that guesses are limited too.
 */
export function holdLimits(deps: Deps): Middleware {
  const { apiKeys: mode, keys } = deps;
  const limitAddress = createAddressLimit(deps);
  const age = {
    name: "kurabe_api_keys_age_seconds",
    help: "Since this process last read the API keys; after 600 it answers none of them",
  };
  registerGauge(deps.registry, age, keys.ageSeconds);
  const requests = new Counter({
    name: "kurabe_api_requests_total",
    help: "Requests to the public API by key (none: without a valid key) and outcome",
    labelNames: ["key_id", "outcome"],
    registers: [deps.registry],
  });
  const count = (key: LiveKey | null, outcome: Outcome) =>
    requests.inc({ key_id: key?.keyId ?? "none", outcome });

  /** Throws what the key's owner must know. */
  function admit(c: ApiContext, key: LiveKey): void {
    if (!mayComeFrom(key, originOf(c))) {
      keys.note(key.keyId, "other_origin");
      count(key, "other_origin");
      refuse(403, "origin_not_allowed", "this API key is for pages of other origins");
    }
    const { isAllowed, allowances } = keys.take(key);
    tellLimits(
      c,
      allowances.map((one) => ({ ...one, remaining: one.remaining - (isAllowed ? 1 : 0) })),
    );
    if (isAllowed) return;
    count(key, "limited");
    refuseBeyond(allowances);
  }

  return async (c, next) => {
    c.set("keyId", null);
    const { path } = c.req;
    if (unlimited.has(path)) return next();
    if (!keyed.test(path)) {
      limitAddress(c);
      return next();
    }
    c.header("Vary", "Accept-Encoding, Authorization, Origin, X-Api-Key");
    const text = shownKey(c);
    const key = text === null ? null : await keys.find(text);
    if (key === null || mode === "off") limitAddress(c);
    if (key !== null) admit(c, key);
    else if (text !== null) {
      count(null, "invalid_key");
      refuse(401, "invalid_key", "this API key is not known, or was revoked", challenge);
    } else if (mode === "required" && !withoutKey.test(path)) {
      count(null, "missing_key");
      refuseMissingKey();
    } else keys.takeAnonymous();
    c.set("keyId", key?.keyId ?? null);
    c.set("isKeyOfPages", key !== null && key.origins.length > 0);
    await next();
    const isError = c.res.status >= 400;
    if (isError) keys.note(key?.keyId ?? anonymousKey, "errors");
    count(key, isError ? "error" : "ok");
  };
}

/** null: the request has no key. Another scheme (such as a proxy's `Basic`) is no key. */
function shownKey(c: ApiContext): string | null {
  const header = c.req.header("X-Api-Key");
  if (header !== undefined) return header.trim();
  const bearer = /^Bearer(?:$| +(.*)$)/i.exec(c.req.header("Authorization") ?? "");
  return bearer ? (bearer[1] ?? "").trim() : null;
}

/** The page that sends the request. Browsers leave `Origin` out where the page is of the same origin. */
function originOf(c: ApiContext): string | null {
  const origin = c.req.header("Origin");
  if (origin !== undefined) return origin;
  const referer = c.req.header("Referer") ?? "";
  return URL.canParse(referer) ? new URL(referer).origin : null;
}

/** A key for pages is no key for programs: without an origin it is refused. */
function mayComeFrom({ origins }: LiveKey, origin: string | null): boolean {
  return origins.length === 0 || (origin !== null && origins.includes(origin));
}

const challenge = { headers: { "WWW-Authenticate": 'Bearer realm="api"' } };

export function refuseMissingKey(): never {
  const detail = "send an API key as `X-Api-Key: …` or `Authorization: Bearer …`";
  refuse(401, "missing_key", detail, challenge);
}

function refuseBeyond(allowances: readonly Allowance[]): never {
  const spent = allowances.filter(({ remaining }) => remaining === 0);
  const limits = spent.map(({ name, limit }) => `${limit} requests a ${name}`).join(" and ");
  const seconds = Math.max(...spent.map(({ resetSeconds }) => resetSeconds));
  const headers = { "Retry-After": String(seconds) };
  refuse(429, "too_many_requests", `this API key is limited to ${limits}`, { headers });
}
