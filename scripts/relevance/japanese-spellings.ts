import type { Random } from "../../src/lib/random.ts";
import type { Concept } from "./concepts.ts";

const shifted = (text: string, pattern: RegExp, by: number) =>
  text.replaceAll(pattern, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + by));

export const toHiragana = (text: string) => shifted(text, /[ァ-ヶ]/g, -0x60);
export const toKatakana = (text: string) => shifted(text, /[ぁ-ゖ]/g, 0x60);
/** ABC12 as ＡＢＣ１２. */
export const toFullWidth = (text: string) => shifted(text, /[!-~]/g, 0xfee0);

/** The NFKC form of each half-width character, alone and with its marks, gives the reverse table. */
const halfWidth = new Map(
  Array.from({ length: 0xff9d - 0xff66 + 1 }, (_, i) => String.fromCodePoint(0xff66 + i)).flatMap(
    (one) =>
      ["", "ﾞ", "ﾟ"].map((mark) => [`${one}${mark}`.normalize("NFKC"), `${one}${mark}`] as const),
  ),
);
export const toHalfWidth = (text: string) =>
  Array.from(text, (one) => halfWidth.get(one) ?? one).join("");

const small = "ァィゥェォッャュョぁぃぅぇぉっゃゅょ";
const large = "アイウエオツヤユヨあいうえおつやゆよ";
export const withoutSmallKana = (text: string) =>
  Array.from(text, (one) => large[small.indexOf(one)] ?? one).join("");

const vu: Record<string, string> = { ヴァ: "バ", ヴィ: "ビ", ヴェ: "ベ", ヴォ: "ボ", ヴ: "ブ" };

/** Each kanji with its old forms. */
const oldKanji = new Map(
  "斎斉齋 辺邊邉 高髙 沢澤 桜櫻 広廣 島嶋 浜濱 国國 竜龍 真眞 恵惠 学學 鉄鐵 万萬 宝寶 関關"
    .split(" ")
    .map((forms) => [forms.charAt(0), forms.slice(1)]),
);

/** Characters that look like the long vowel mark but come from another key. */
const lookalikes = ["―", "－", "—", "‐", "-", "一"];

/** Other spellings of a Japanese text that follow from its characters. */
export function japaneseOthers(text: string): Concept["others"] {
  const isKana = /^[ァ-ヶーぁ-ゖ・]{3,}$/.test(text);
  const kanji = Array.from(text).find((one) => oldKanji.has(one));
  const forms: Concept["others"] = {
    kana: isKana ? [toHiragana(text), toKatakana(text)] : [],
    "long vowel": text.includes("ー")
      ? [
          ...lookalikes.map((mark) => text.replace("ー", mark)),
          ...(/[ァ-ヶー]{2,}ー$/.test(text) ? [text.slice(0, -1)] : []),
        ]
      : [],
    "small kana": [withoutSmallKana(text)],
    width: [toHalfWidth(text), toFullWidth(text)],
    ヴ: [text.replaceAll(/ヴ[ァィェォ]?/g, (one) => vu[one] ?? one)],
    "old kanji": kanji
      ? Array.from(oldKanji.get(kanji) ?? "", (old) => text.replace(kanji, old))
      : [],
  };
  return forms;
}

/** Two kana swapped, one left out, or a voiced mark lost, in a run of five kana or more. */
export function withKanaTypo(text: string, random: Random): string | null {
  const run = /[ァ-ヶーぁ-ゖ]{5,}/.exec(text)?.[0];
  if (run === undefined) return null;
  const at = random.integer(1, run.length - 2);
  const unvoiced = run
    .slice(1)
    .normalize("NFD")
    .replace(/[\u3099\u309a]/, "")
    .normalize("NFC");
  const slip = random.pick([
    `${run.slice(0, at)}${run.charAt(at + 1)}${run.charAt(at)}${run.slice(at + 2)}`,
    `${run.slice(0, at)}${run.slice(at + 1)}`,
    `${run.charAt(0)}${unvoiced}`,
  ]);
  return slip === run ? null : text.replace(run, slip);
}

/** 500ml as 500 ML, ５００ｍｌ, 500ミリリットル. */
export function japaneseMeasureForms(number: number, unit: string): string[] {
  const names: Record<string, string> = {
    ml: "ミリリットル",
    g: "グラム",
    cm: "センチ",
    mm: "ミリ",
    l: "リットル",
    kg: "キロ",
  };
  const plain = `${number}${unit}`;
  return [
    plain,
    `${number} ${unit}`,
    `${number}${unit.toUpperCase()}`,
    toFullWidth(plain),
    ...(names[unit] ? [`${number}${names[unit]}`] : []),
  ];
}

/** 2個セット as ２個セット, 2個入り, 2個組, 2コセット. */
export function japanesePackForms(count: number, counter: string): string[] {
  const plain = `${count}${counter}`;
  return [
    `${plain}セット`,
    `${toFullWidth(String(count))}${counter}セット`,
    `${plain}入り`,
    `${plain}組`,
    `${plain}入`,
    `${count} ${counter}セット`,
    `${plain} セット`,
  ];
}
