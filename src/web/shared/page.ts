import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { sendZipped } from "../../api/http/answer.ts";
import type { ApiEnv } from "../../api/http/env.ts";
import type { Assets } from "./assets.ts";
import { chooseLanguage, type Language } from "./language.ts";
import { en } from "./messages/en.ts";
import { ja, type Messages } from "./messages/ja.ts";

/** What every page is drawn with. */
export interface Page {
  lang: Language;
  m: Messages;
  assets: Assets;
  /** The address asked for, with its parameters. */
  url: URL;
  now: Date;
}

export function openPage(
  c: Context<ApiEnv>,
  runtime: { assets: Assets; clock: { now(): Date } },
): Page {
  const lang = chooseLanguage(c);
  return {
    lang,
    m: lang === "ja" ? ja : en,
    assets: runtime.assets,
    url: new URL(c.req.url),
    now: runtime.clock.now(),
  };
}

/**
 * No script, style or frame but our own files, no form to elsewhere; pictures are the shops' own, from
 * wherever they keep them, and never over plain HTTP.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "private, no-cache",
  Vary: "Accept-Encoding, Accept-Language, Cookie",
};

/** What a component draws, as text. */
export function toHtml(content: { toString(): unknown }): string {
  return String(content);
}

/** `content`: a whole document, as `Layout` draws it. */
export async function sendPage(
  c: Context<ApiEnv>,
  page: Pick<Page, "lang">,
  content: { toString(): unknown },
  answer: { status?: ContentfulStatusCode; headers?: Record<string, string> } = {},
): Promise<Response> {
  const html = `<!doctype html>${toHtml(content)}`;
  const headers = { ...pageHeaders, "Content-Language": page.lang, ...answer.headers };
  const status = answer.status ?? 200;
  // Pages are for people who came here, not for the scripts of other sites.
  c.header("Access-Control-Allow-Origin", undefined);
  c.header("Access-Control-Expose-Headers", undefined);
  return sendZipped(c, html, status, headers);
}
