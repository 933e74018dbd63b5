import { describe, expect, it } from "vitest";
import { prepare } from "../titles/prepare.ts";
import { compare } from "./features.ts";
import { createIdf } from "./words-compared.ts";

const item = (title: string) => prepare({ title, price: null, categories: [] });
const rare = createIdf(10_000, (token) => token.length);
const frequent = createIdf(10_000, (token) => (token === "" ? 0 : 500));

describe("a code that is too short for a model number", () => {
  it.each([
    ["SONY サイバーショット DSC-HX99", "SONY サイバーショット HX99 カメラ", true],
    ["Canon BG-E14 Battery grip", "Canon EOS BG-E14 Batterij Grip", true],
    ["Canon EOS 80D DSLR Body", "Canon EOS 80D DSLR Camera Body", true],
    ["KINTO ティーポット SL9", "KINTO ティーポット SL7", false],
    ["Nivea Sun Sonnenspray SF50", "Nivea Sun Sonnenspray LSF 50", false],
    ["Gillette Fusion5 Rasierklingen", "Gillette Fusion5 ProGlide Rasierklingen", false],
    ["Gillette Mach3 Rasierklingen Turbo", "Gillette Mach3 Turbo Rasierklingen", true],
    ["Canon PowerShot SX60", "Canon PowerShot SX600 HS", false],
    ["SONY HX99 カメラ", "SONY HX99用 カメラ ケース", false],
    ["富士フイルム X-T2 ボディ", "クリップ 金具 X-T2 金色 五個 袋入り 手芸", false],
    ["K18 リング パール", "K18 リング パール 天然石", false],
    ["ブラウス SS24 麻", "ブラウス SS24 麻 白", false],
    ["ヴィンテージ 90s シャツ", "ヴィンテージ 90s シャツ 白", false],
    ["LED電球 E26 電球色", "LED電球 E26 電球色 密閉器具", false],
    ["革 2way バッグ", "革 2way バッグ 手作り", false],
  ])("%j and %j", (left, right, isOne) => {
    expect(compare(item(left), item(right), rare).sharesModel).toBe(isOne);
    expect(compare(item(right), item(left), rare).sharesModel).toBe(isOne);
  });

  it("names nothing if many products have it", () => {
    const [left, right] = [item("SONY カメラ DSC-HX99"), item("SONY HX99 カメラ")];
    expect(compare(left, right, rare).sharesModel).toBe(true);
    expect(compare(left, right, frequent).sharesModel).toBe(false);
  });
});
