import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { parseAccept } from "hono/utils/accept";
import { languages, type Language } from "../../../lib/languages.ts";

const cookieName = "lang";
const yearSeconds = 31_536_000;

/** Uses `?lang`, which sets a cookie; else the cookie, else the browser's language, else Japanese. */
export function chooseLanguage(c: Context): Language {
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
