const digits = "〇一二三四五六七八九";
/** As in a class of characters. */
export const kanjiNumerals = `${digits}十`;
/** What is counted, numbered or measured with numbers of kanji, as a class of characters. */
export const counters =
  "[つ段枚個本人冊足着台色連重袋組箱缶匹面口層列膳食玉粒年畳号泊回杯輪巻番版ヶ月時分角形型級種度品帖合升]";

/** What is counted by its shape, and by 個 as well. */
export const pieceCounters = "球玉巻粒錠本枚缶袋包";

const inArabic = (numeral: string) =>
  numeral.replaceAll(/./g, (digit) => String(digits.indexOf(digit)));

const leadingKanji = new RegExp(`^[${kanjiNumerals}]+`);

/** 12段 for 十二段, 2025年 for 二〇二五年. */
export function inDigits(counted: string): string {
  return counted.replace(leadingKanji, (numeral) => {
    const [tens = "", ones] = numeral.split("十");
    return ones === undefined ? inArabic(tens) : inArabic(tens || "一") + inArabic(ones || "〇");
  });
}

/** 十二段 for 12段: of numbers below 100. */
export function inKanji(counted: string): string {
  return counted.replace(/^([1-9])([0-9]?)(?![0-9])/, (_, first: string, second: string) => {
    const [head, tail] = [first, second].map((digit) => digits.charAt(Number(digit)));
    if (second === "") return head ?? "";
    return `${first === "1" ? "" : head}十${second === "0" ? "" : tail}`;
  });
}

const kanjiNumber = new RegExp(`^[${kanjiNumerals}]{1,4}$`);

/** 三 for 3, and the reverse; none for other words. */
export function otherNumber(text: string): string[] {
  const other = kanjiNumber.test(text) ? inDigits(text) : inKanji(text);
  return other === text || !/^(?:[0-9]+|[^0-9]+)$/.test(text) ? [] : [other];
}

const partOfNumber = new RegExp(`[0-9${kanjiNumerals}]`);
const isPartOfNumber = (letter: string) => partOfNumber.test(letter);

/** 全23巻 for 全巻. */
const wholeSet = /^全([巻冊話])$/;
export const isWholeSet = (form: string): boolean => wholeSet.test(form);
const patternOfSet = (form: string) => form.replace(wholeSet, "全 ?[0-9]*$1");

/** What a text has for a form, as a regular expression: no more of its number, so that 3巻 is not in 13巻; null: the form itself. */
export function patternOf(form: string): string | null {
  if (isWholeSet(form)) return patternOfSet(form);
  if (!isPartOfNumber(form.charAt(0))) return null;
  return `(?<![0-9${kanjiNumerals}])${form.replaceAll(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)}`;
}

/** Where a text has the form and no longer number; -1: nowhere. */
export function positionIn(text: string, form: string): number {
  if (isWholeSet(form)) return text.search(new RegExp(patternOfSet(form)));
  let at = text.indexOf(form);
  if (!isPartOfNumber(form.charAt(0))) return at;
  while (at > 0 && isPartOfNumber(text.charAt(at - 1))) at = text.indexOf(form, at + 1);
  return at;
}
