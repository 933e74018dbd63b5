import { languages, type Language } from "../../../lib/languages.ts";

/** A text in each of the languages, in the order of `languages`. */
export type Text = readonly [ja: string, en: string];

/** Texts by name. Those with something to fill in are functions. */
export interface Texts {
  readonly [name: string]: Text | ((...given: never[]) => Text) | Texts;
}

export type InLanguage<T> = T extends Text
  ? string
  : T extends (...given: infer Given) => Text
    ? (...given: Given) => string
    : { readonly [Name in keyof T]: InLanguage<T[Name]> };

/** The same texts in one language. */
export function inLanguage<T extends Texts>(texts: T, language: Language): InLanguage<T> {
  const at = languages.indexOf(language);
  const choose = (what: unknown): unknown => {
    if (Array.isArray(what)) return what[at];
    if (typeof what === "function") return (...given: unknown[]) => choose(what(...given));
    return Object.fromEntries(
      Object.entries(what as Texts).map(([name, text]) => [name, choose(text)]),
    );
  };
  return choose(texts) as InLanguage<T>;
}

export const plural = (n: number | string, one: string) =>
  `${n} ${one}${String(n) === "1" ? "" : "s"}`;
