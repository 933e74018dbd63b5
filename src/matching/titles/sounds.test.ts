import { describe, expect, it } from "vitest";
import { soundOfKana, soundsOfLatin } from "./sounds.ts";

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
    ["model", "ネットル"],
  ])("of %s are not that of %s", (word, katakana) => {
    expect(soundsOfLatin(word)).not.toContain(soundOfKana(katakana));
  });
});
