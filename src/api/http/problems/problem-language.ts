import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { parameterFaultsJa } from "./parameter-faults-ja.ts";
import { problemDetailsJa, problemTitlesJa } from "./problem-details-ja.ts";

export type ProblemLanguage = "en" | "ja";

/** What the client reads more gladly; English for programs that say nothing. */
export function problemLanguage(c: Context): ProblemLanguage {
  const weights = new Map<string, number>();
  for (const { type, q } of parseAccept(c.req.header("Accept-Language") ?? "")) {
    const language = type.split("-")[0]?.toLowerCase() ?? "";
    weights.set(language, Math.max(q, weights.get(language) ?? 0));
  }
  return (weights.get("ja") ?? 0) > (weights.get("en") ?? weights.get("*") ?? 0) ? "ja" : "en";
}

/** A problem's detail or the message of a parameter in this language; a text that is not known stays. */
export function problemText(text: string, language: ProblemLanguage): string {
  return language === "en" ? text : (toJapanese(text) ?? text);
}

export function problemTitle(status: number, title: string, language: ProblemLanguage): string {
  return language === "en" ? title : (problemTitlesJa[status] ?? title);
}

const placeholder = /\{(\w+)\}/g;
const all = Object.entries({ ...problemDetailsJa, ...parameterFaultsJa });
const fixed = new Map(all.filter(([en]) => !/\{\w+\}/.test(en)));
/** The most specific first, so that `{n}, or null` is not taken for `{n}`, nor a whole sentence for its end. */
const patterns = all
  .filter(([en]) => !fixed.has(en))
  .toSorted(([a], [b]) => specificity(b) - specificity(a))
  .map(([en, ja]) => ({ names: namesOf(en), pattern: toPattern(en), ja }));

/** null: the table lacks it. */
export function toJapanese(text: string): string | null {
  const known = fixed.get(text);
  if (known !== undefined) return known;
  for (const { names, pattern, ja } of patterns) {
    const match = pattern.exec(text);
    if (!match) continue;
    const values = new Map(names.map((name, i) => [name, match[i + 1] ?? ""]));
    return ja.replaceAll(placeholder, (_, name: string) => {
      const value = values.get(name) ?? "";
      return toJapanese(value) ?? value;
    });
  }
  return null;
}

function specificity(template: string): number {
  const ownChars = template.replaceAll(placeholder, "").length;
  return template.startsWith("{") ? ownChars - 1000 : ownChars;
}

function namesOf(template: string): string[] {
  return [...template.matchAll(placeholder)].map(([, name = ""]) => name);
}

function toPattern(template: string): RegExp {
  const parts = template
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.+?)")}$`, "su");
}
