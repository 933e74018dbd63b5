import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { parseAccept } from "hono/utils/accept";
import { sendZipped } from "../../../api/http/answer.ts";
import type { ApiDeps, ApiContext } from "../../../api/http/deps.ts";
import type { Lanes } from "../../../api/http/lanes.ts";
import type { TokenGate } from "../../../api/ops/token-gate.ts";
import type { Market } from "../../../catalog/market.ts";
import type { Assets } from "./assets.ts";
import { type Language, languages } from "../../../lib/languages.ts";
import { moneyIn } from "../format.ts";
import { messages, type Messages } from "../messages/messages.ts";

/** What pages need: everything of the API, and the assets. */
export interface PageDeps extends ApiDeps {
  assets: Assets;
  /** Shared with the ops API, so that wrong tokens at both count together. */
  gate: TokenGate;
  /** Shared with the API's expensive searches. */
  lanes: Lanes;
}

export interface Page {
  lang: Language;
  m: Messages;
  assets: Assets;
  market: Market;
  /** Writes a price in the currency of the market. */
  money(price: number): string;
  /** See `originOf`. */
  origin: string;
  /** The requested address with its parameters. */
  url: URL;
  now: Date;
}

export function openPage(
  c: ApiContext,
  runtime: Pick<PageDeps, "assets" | "clock" | "market">,
): Page {
  const lang = chooseLanguage(c);
  return {
    lang,
    m: messages[lang],
    assets: runtime.assets,
    market: runtime.market,
    money: moneyIn(runtime.market.currency),
    origin: originOf(c, runtime.market),
    url: new URL(c.req.url),
    now: runtime.clock.now(),
  };
}

/**
 * Allows only our own scripts and styles, no frames, and forms only to ourselves. Pictures come from
 * any host of the shops, but over plain HTTP only from an upstream on this machine.
 */
const contentSecurityPolicy = ({ loopbackPictures }: Market) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' https: data:${loopbackPictures === null ? "" : ` ${loopbackPictures}`}`,
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "private, no-cache",
  Vary: "Accept-Encoding, Accept-Language, Cookie",
};

/** `https://` and host of the site, without a slash at the end: as set, or as the request has it. */
export function originOf(c: ApiContext, { publicUrl }: Market): string {
  return publicUrl ?? new URL(c.req.url).origin;
}

export function toHtml(content: { toString(): unknown }): string {
  return String(content);
}

/** `content`: a whole document from `Layout`. */
export async function sendPage(
  c: ApiContext,
  page: Pick<Page, "lang" | "market">,
  content: { toString(): unknown },
  answer: { status?: ContentfulStatusCode; headers?: Record<string, string> } = {},
): Promise<Response> {
  const html = `<!doctype html>${toHtml(content)}`;
  const headers = {
    ...pageHeaders,
    "Content-Security-Policy": contentSecurityPolicy(page.market),
    "Content-Language": page.lang,
    ...answer.headers,
  };
  const status = answer.status ?? 200;
  // Scripts of other sites may not read pages.
  c.header("Access-Control-Allow-Origin", undefined);
  c.header("Access-Control-Expose-Headers", undefined);
  return sendZipped(c, html, status, headers);
}

const cookieName = "lang";
const yearSeconds = 31_536_000;

/** Uses `?lang`, which sets a cookie; else the cookie, else the browser's language, else Japanese. */
function chooseLanguage(c: Context): Language {
  const chosen = toLanguage(c.req.query("lang"));
  if (chosen !== null) {
    setCookie(c, cookieName, chosen, { path: "/", maxAge: yearSeconds, sameSite: "Lax" });
    return chosen;
  }
  const remembered = toLanguage(getCookie(c, cookieName));
  return remembered ?? accepted(c);
}

function accepted(c: Context): Language {
  const given = parseAccept(c.req.header("Accept-Language") ?? "").toSorted((a, b) => b.q - a.q);
  const known = given.flatMap(({ type }) => toLanguage(type.split("-")[0]) ?? []);
  return known[0] ?? "ja";
}

function toLanguage(text: string | undefined): Language | null {
  return languages.find((language) => language === text) ?? null;
}
