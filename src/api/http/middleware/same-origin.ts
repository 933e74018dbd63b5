import type { ApiContext } from "../deps.ts";
import { refuse } from "../problems/problem.ts";

/** Whether one of our pages sent the request, judged by two headers. Every browser sends one of them with a form. */
export function isSameOrigin(c: ApiContext): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  if (site === undefined && origin === undefined) return false;
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined || hostOf(origin) === new URL(c.req.url).host;
}

/**
 * Whether a page of another site sent the request. Programs send neither header. If the browser sends
 * its own judgement of the site, that one counts.
 */
export function isFromOtherSite(c: ApiContext): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  return origin !== undefined && hostOf(origin) !== new URL(c.req.url).host;
}

/** For forms of our own pages. */
export function refuseOtherSites(c: ApiContext): void {
  const detail = "pages of other sites cannot send this form; the API allows them the same";
  if (isFromOtherSite(c)) refuse(403, "cross_site", detail);
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
