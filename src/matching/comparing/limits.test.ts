import { describe, expect, it } from "vitest";
import { prepare } from "../titles/prepare.ts";
import { compare } from "./features.ts";
import { isSameWording } from "./limits.ts";
import { createIdf } from "./words-compared.ts";

const idf = createIdf(10_000, (token) => token.length ** 3);
const item = (title: string) => prepare({ title, price: null, categories: [] });

describe("the same wording", () => {
  it.each([
    ["鬼滅の刃 第16巻 吾峠呼世晴", "【新品】鬼滅の刃 16巻 吾峠呼世晴", true],
    ["鬼滅の刃 第16巻 吾峠呼世晴", "鬼滅の刃 第17巻 吾峠呼世晴", false],
    ["【送料無料】伊右衛門 緑茶 550ml 24本入 あす楽", "伊右衛門 緑茶 550ml×24", true],
    ["鬼滅の刃 吾峠呼世晴 全巻", "鬼滅の刃 吾峠呼世晴 全巻", false],
    ["サントリー 天然水 550ml×24本", "サントリー天然水 550ml 24本入り", true],
    ["ロイヤルカナン インドア 7+ 2kg", "ロイヤルカナン インドア 2kg", false],
    ["Sundance Sonnenmilch LSF 50, 200 ml", "Sundance Sonnenmilch LSF 50+, 200 ml", false],
    ["Felix Doppelt Lecker Fisch 12er", "Felix Doppelt Lecker Fleisch 12er", false],
    ["alverde NATURKOSMETIK Handcreme Bio-Mango, 75 ml", "alverde Handcreme Bio-Mango 75ml", true],
    ["スカーフ リネン100% 生成り 手織り", "スカーフ リネン100% 生成り 手織り", false],
    ["ほうじ茶 チョコ カカオ70% 50g", "ほうじ茶チョコ カカオ70% 50g", true],
    ["Rauch Saft Erdbeer Apfel 1 l", "Rauch Saft Erdbeere Apfel 1 l", true],
  ])("of %j and %j", (left, right, isSame) => {
    expect(isSameWording(compare(item(left), item(right), idf), item(left), item(right))).toBe(
      isSame,
    );
  });
});
