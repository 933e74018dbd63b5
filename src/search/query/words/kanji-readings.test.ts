import { describe, expect, it } from "vitest";
import { fold } from "../../index/fold.ts";
import { readAlike, readAsLatin, readFrom, toReadable } from "./kanji-readings.ts";

const runs = [
  "国産老眼鏡",
  "釣り竿",
  "羽毛布団",
  "敷布団",
  "三輪車",
  "広辞苑",
  "鬼滅の刃",
  "湿布",
  "楽器",
  "がま口",
  "けん玉",
  "い草",
  "ダンボール",
  "べっ甲",
  "洗濯洗剤",
  "腕時計",
  "夜間",
  "クロス",
  "やかん",
  "鯛屋",
  "本革工房",
  "葛根湯",
  "草刈機",
  "集じん機",
  "森伊蔵",
  "美濃焼",
  "南部鉄器",
  "象印",
  "柳宗理",
  "大阪城",
  "宇治茶",
  "ちいかわ",
  "神隠し",
  "蒲焼き",
  "既製カーテン",
  "珪藻土",
  "お取り寄せ",
  "鹿番長鉄板",
  "雪肌精化粧水",
  "吾輩",
].map(fold);

describe("readAlike", () => {
  const words = toReadable(runs);

  it.each([
    ["ろうがんきょう", "老眼鏡"],
    ["つりざお", "釣り竿"],
    ["うもうふとん", "羽毛布団"],
    ["しきぶとん", "敷布団"],
    ["さんりんしゃ", "三輪車"],
    ["サンリンシャ", "三輪車"],
    ["こうじえん", "広辞苑"],
    ["きめつのやいば", "鬼滅の刃"],
    ["しっぷ", "湿布"],
    ["がっき", "楽器"],
    ["てっぱん", "鉄板"],
    ["せっきせい", "雪肌精"],
    ["わがはい", "吾輩"],
    ["がまぐち", "がま口"],
    ["とけい", "時計"],
    ["いぐさ", "い草"],
    ["神かくし", "神隠し"],
    ["かばやき", "蒲焼き"],
    ["剣玉", "けん玉"],
    ["藺草", "い草"],
    ["段ボール", "だんぼーる"],
    ["鼈甲", "べつ甲"],
    ["洗たく洗剤", "洗濯洗剤"],
    ["かっこんとう", "葛根湯"],
    ["くさかりき", "草刈機"],
    ["集塵機", "集じん機"],
    ["もりいぞう", "森伊蔵"],
    ["みのやき", "美濃焼"],
    ["既成", "既製"],
    ["規製", "既製"],
    ["けいそうど", "珪藻土"],
    ["おとりよせ", "お取り寄せ"],
  ])("reads %s as %s", (typed, form) => {
    expect(readAlike(typed, words)).toEqual([form]);
  });

  it.each([
    ["夜間, where titles have the short kana", "やかん"],
    ["kana that are only said like kanji", "黒酢"],
    ["a loanword", "タイヤ"],
    ["the word itself", "老眼鏡"],
    ["kanji of one sound that are all others", "奇声"],
    ["another word", "さんりんしょう"],
    ["parts of two words", "がっこう"],
    ["nothing", ""],
    ["a text of any length", "ろ".repeat(200)],
    ["letters", "さん 😀"],
  ])("does not find %s", (_, typed) => {
    expect(readAlike(typed, words)).toEqual([]);
  });
});

describe("readFrom", () => {
  const words = toReadable(runs);

  it.each([
    ["ろうがんき", ["老眼鏡"]],
    ["めいb", []],
    ["せんた", ["洗濯"]],
    ["かまぼこ", []],
    ["み", []],
    ["ろ".repeat(200), []],
  ])("completes %s by %j", (kana, begun) => {
    expect(readFrom(kana, words)).toEqual(begun);
  });
});

describe("readAsLatin", () => {
  const words = toReadable(runs);

  it.each([
    ["なんぶ", "南部"],
    ["ぞじるし", "象印"],
    ["ぞうじるし", "象印"],
    ["やなぎそり", "柳宗理"],
    ["おさか", "大阪"],
    ["うじ", "宇治"],
    ["ちいかわ", "ちいかわ"],
  ])("reads %s as %s", (kana, form) => {
    expect(readAsLatin(kana, words)).toEqual([form]);
  });

  it.each(["かわ", "がこ", "いかわ", "ろ".repeat(200)])("does not find %s", (kana) => {
    expect(readAsLatin(kana, words)).toEqual([]);
  });
});
