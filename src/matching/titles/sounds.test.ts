import { describe, expect, it } from "vitest";
import { soundOfKana, soundsOfLatin } from "./sounds.ts";
import { kanaOfRomaji, withAlike } from "../../search/query/words/sounds.ts";

describe("soundsOfLatin", () => {
  it.each([
    ["pampers", "パンパース"],
    ["victorinox", "ビクトリノックス"],
    ["northface", "ノースフェイス"],
    ["converse", "コンバース"],
    ["fender", "フェンダー"],
    ["wilson", "ウィルソン"],
    ["staub", "ストウブ"],
    ["lecreuset", "ル・クルーゼ"],
    ["birkenstock", "ビルケンシュトック"],
    ["marimekko", "マリメッコ"],
    ["samsung", "サムスン"],
    ["bridgestone", "ブリヂストン"],
  ])("of %s are that of %s", (word, katakana) => {
    expect(soundsOfLatin(word)).toContain(soundOfKana(katakana));
  });

  it.each([
    ["master", "ミスチル"],
    ["metal", "モデル"],
    ["piano", "ピン"],
    ["model", "ネットル"],
  ])("of %s are not that of %s", (word, katakana) => {
    expect(soundsOfLatin(word)).not.toContain(soundOfKana(katakana));
  });
});

describe("kanaOfRomaji", () => {
  it.each([
    ["kutsu", "くつ"],
    ["nekkuresu", "ねつくれす"],
    ["shatsu", "しあつ"],
    ["matcha", "まつちあ"],
    ["onna", "おんな"],
    ["ra-men", "らーめん"],
    ["kitchen", null],
    ["garden", null],
  ])("of %s is %s", (typed, kana) => {
    expect(kanaOfRomaji(typed)).toBe(kana);
  });
});

describe("withAlike", () => {
  it("knows names with a number in other letters", () => {
    const word = { text: "omega3", forms: ["omega3"], loose: [] };
    const alike = (text: string) => (text === "omega" ? ["おめが"] : []);
    const [found] = withAlike([word], alike);
    expect(found?.forms).toEqual(["omega3", "おめが3", "おめが 3"]);
  });
});
