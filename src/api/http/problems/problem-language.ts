import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { Language } from "../../../lib/languages.ts";
import { createTranslator } from "../../../lib/translator.ts";
import { parameterFaultsJa } from "./parameter-faults-ja.ts";
import { problemDetailsJa, problemTitlesJa } from "./problem-details-ja.ts";

/** What the client reads more gladly; English for programs that say nothing. */
export function problemLanguage(c: Context): Language {
  const weights = new Map<string, number>();
  for (const { type, q } of parseAccept(c.req.header("Accept-Language") ?? "")) {
    const language = type.split("-")[0]?.toLowerCase() ?? "";
    weights.set(language, Math.max(q, weights.get(language) ?? 0));
  }
  return (weights.get("ja") ?? 0) > (weights.get("en") ?? weights.get("*") ?? 0) ? "ja" : "en";
}

/** A problem's detail or the message of a parameter in this language; a text that is not known stays. */
export function problemText(text: string, language: Language): string {
  return language === "en" ? text : (toJapanese(text) ?? text);
}

export function problemTitle(status: number, title: string, language: Language): string {
  return language === "en" ? title : (problemTitlesJa[status] ?? title);
}

/** null: the table lacks it. */
export const toJapanese = createTranslator({ ...problemDetailsJa, ...parameterFaultsJa });
