import type { Context } from "hono";
import type { ApiEnv } from "./env.ts";
import { Problem } from "./problem.ts";

/** Whether one of our pages sent the request, judged by two headers. Every browser sends one of them with a form. */
export function isSameOrigin(c: Context<ApiEnv>): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  if (site === undefined && origin === undefined) return false;
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined || hostOf(origin) === new URL(c.req.url).host;
}

/**
 * Refuses requests from pages of other sites, because such a page could make all its visitors spend
 * our calls. Programs send neither header and are allowed. If the browser sends its own judgement of
 * the site, that one counts.
 */
export function refuseOtherSites(c: Context<ApiEnv>): void {
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  const isOurs =
    site === undefined
      ? origin === undefined || hostOf(origin) === new URL(c.req.url).host
      : site === "same-origin" || site === "none";
  if (isOurs) return;
  throw new Problem({
    status: 403,
    code: "cross_site",
    detail: "pages of other sites cannot ask for this; ask from a server, or from our own pages",
  });
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
