const kanji = "[一-鿿々]";
/** The kana that end a verb's stem between two parts of a compound: 引き出し, 詰め合わせ. */
const stemEnd =
  "(?:わ[せりい]|たり|とし|こし|らし|まれ|がり|か[えい]|[いきしちみりぎじびえけせてねめれげぜべ])(?![ぁ-ゖー])";
const compound = new RegExp(`(?:${kanji}+${stemEnd})+${kanji}*`, "g");
const stemEnds = new RegExp(`(?<=${kanji})${stemEnd}`, "g");
const innerEnds = new RegExp(`(?<=${kanji})${stemEnd}(?=${kanji})`, "g");
/** 合せ for 合わせ, 当り for 当たり. */
const contracted = new RegExp(`(?<=${kanji})(?:わ(?=[せりい])|た(?=り)|と(?=し)|こ(?=し))`, "g");

const numerals = "一二三四五六七八九";
const counters = "[つ段枚個本人冊足着台色連重袋組箱缶匹面口層列膳食玉粒年畳号泊回杯輪]";
const counted = new RegExp(
  `(?<![${numerals}十百千万第])[${numerals}]${counters}[一-鿿々ぁ-ゖ]{0,4}`,
  "g",
);
const countedByDigit = new RegExp(`(?<![0-9.,])[1-9]${counters}[一-鿿々ぁ-ゖ]{0,4}`, "g");

/** 引出 for 引き出し, 引出し and 引出: a compound without the kana that each writes or leaves out. */
export function withoutOkurigana(text: string): string {
  return text.replaceAll(stemEnds, "");
}

/**
 * Other forms of a title's words, as Postgres searches them: compounds without okurigana, and numbers with a
 * counter in digits (2つ折り for 二つ折り). `text_forms` in the database is the same function: a test compares both.
 */
export function titleForms(title: string): string[] {
  const compounds = title.match(compound) ?? [];
  return [
    ...compounds.map(withoutOkurigana).filter((form) => form.length > 1),
    ...(title.match(counted) ?? []).map(inDigits),
  ];
}

/** A wave for a long vowel: ちゅ~る. */
const wavy = /[ぁ-ゖァ-ヺ]+[~〜][ぁ-ゖァ-ヺー一-鿿々]+/g;

/** 55V型, 55型 and 55インチ are one size. */
const screenSize = /(?<![\d.])(\d{2}(?:\.\d)?)(?:V?型|インチ)/gi;

/** The engine has a query's words only as they were typed: for its documents, what may be typed for a title's words. */
export function typedForms(title: string): string[] {
  const shorter = (title.match(compound) ?? []).map((word) => word.replaceAll(innerEnds, ""));
  const forms = [
    ...titleForms(title),
    ...shorter,
    ...shorter.map((word) => word.replaceAll(contracted, "")),
    ...(title.match(countedByDigit) ?? []).map(inKanji),
    ...(title.match(/\d[畳帖歳才]/g) ?? []).flatMap((count) => otherCounter(count)),
    ...[...title.matchAll(screenSize)].flatMap(([, size]) => [`${size}型`, `${size}インチ`]),
    ...(title.match(/全\d+[巻冊話]/g) ?? []).map((set) => set.replaceAll(/\d/g, "")),
    ...(title.match(wavy) ?? []).map((word) => word.replaceAll(/[~〜]/g, "ー")),
  ];
  return [...new Set(forms)].filter((form) => form.length > 1 && !title.includes(form));
}

/** 8帖 for 8畳, 3才 for 3歳, and the reverse; also of the counter alone. */
export function otherCounter(text: string): string[] {
  const other = { 畳: "帖", 帖: "畳", 歳: "才", 才: "歳" }[text.slice(-1)];
  return other === undefined ? [] : [text.slice(0, -1) + other];
}

/** 2つ for 二つ. */
export function inDigits(word: string): string {
  return `${numerals.indexOf(word.charAt(0)) + 1}${word.slice(1)}`;
}

function inKanji(word: string): string {
  return `${numerals.charAt(Number(word.charAt(0)) - 1)}${word.slice(1)}`;
}

const furtherCounted = new RegExp(`^[${numerals}][ヶ月時分巻角形型級種度品畳帖合升]`);

/** Whether a word begins with a number that digits may stand for: 三段. */
export function isCounted(word: string): boolean {
  return word.search(counted) === 0 || furtherCounted.test(word);
}

/** 三 for 3, and the reverse. */
export function otherDigit(text: string): string[] {
  if (/^[1-9]$/.test(text)) return [inKanji(text)];
  return text.length === 1 && numerals.includes(text) ? [inDigits(text)] : [];
}
