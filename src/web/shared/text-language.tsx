import { beginning } from "./format.ts";
import type { Language } from "../../lib/languages.ts";

const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const latinWord = /\p{Script=Latin}{2}/u;

/**
 * Attributes of an element with a text of a shop, for screen readers and fonts: its direction, and its
 * language where that is not the page's. A text with kana or kanji is Japanese; one with Latin words alone
 * is read as English.
 */
export function ofShop(text: string, page: { lang: Language }): { dir: "auto"; lang?: Language } {
  const lang = japanese.test(text) ? "ja" : latinWord.test(text) ? "en" : page.lang;
  return lang === page.lang ? { dir: "auto" } : { dir: "auto", lang };
}

interface ShopTextProps {
  page: { lang: Language };
  text: string;
  /** Characters that are shown. */
  most?: number;
  class?: string;
}

/** The beginning of a text of a shop. */
export function ShopText({ page, text, most = 60, ...look }: ShopTextProps) {
  return (
    <span {...look} {...ofShop(text, page)}>
      {beginning(text, most)}
    </span>
  );
}
