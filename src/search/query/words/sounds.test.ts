import { describe, expect, it } from "vitest";
import { readQueryWords } from "./query-words.ts";
import { kanaOfRomaji, withAlike } from "./sounds.ts";

describe("kanaOfRomaji", () => {
  it.each([
    ["kutsu", "くつ"],
    ["nekkuresu", "ねつくれす"],
    ["shatsu", "しあつ"],
    ["matcha", "まつちあ"],
    ["onna", "おんな"],
    ["ra-men", "らーめん"],
    ["nambu", "なんぶ"],
    ["kyocera", "きよせら"],
    ["hadalabo", "はだらぼ"],
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

  it.each([
    ["おせんべい", ["おせんべい", "せんべい", "煎餅"]],
    ["おおせんべい", ["おおせんべい"]],
  ])("knows %s without お before it: %j", (typed, forms) => {
    const alike = (text: string) => (text === "せんべい" ? ["煎餅"] : []);
    const [found] = withAlike([{ text: typed, forms: [typed], loose: [] }], alike);
    expect(found?.forms).toEqual(forms);
  });

  it("knows a name with the particle between its words in other letters", () => {
    const alike = (text: string) => (text === "きめつのやいば" ? ["鬼滅の刃"] : []);
    const words = withAlike(readQueryWords(["きめつのやいば"]), alike);
    expect(words.map(({ forms }) => forms.includes("鬼滅の刃"))).toEqual([true, true]);
  });

  it("reads as two words what was typed as one, not two that were typed: both would be counted as found twice", () => {
    const alike = (text: string, isOneWord = false) =>
      text === "チャオチュール" && isOneWord ? ["ciao ちゆーる"] : [];
    const formsOf = (...plain: string[]) =>
      withAlike(readQueryWords(plain), alike).flatMap(({ forms }) => forms);
    expect(formsOf("チャオチュール")).toContain("ciao ちゆーる");
    expect(formsOf("チャオ", "チュール")).not.toContain("ciao ちゆーる");
  });
});
