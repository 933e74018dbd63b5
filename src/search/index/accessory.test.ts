import { describe, expect, it } from "vitest";
import { asksForThing, isAccessory, variantsIn } from "./accessory.ts";
import { fold } from "./fold.ts";

describe("isAccessory", () => {
  it.each([
    "iPhone 15 Pro ケース 手帳型 レザー 茶",
    "iPhone 15 Pro ガラスフィルム 2枚セット",
    "iPhone15ケース",
    "Galax X20 ケース",
    "万年筆 ケース 革 2本",
    "脚立 カバー",
    "掃除機 スタンド ダイソン 用",
    "バリカン 替刃",
    "SONY WH-1000XM5用 イヤーパッド",
    "ダイソン V12 互換バッテリー 大容量",
    "MacBook Air 13 inch Hard Shell Case Clear",
    "Leather Case for iPhone",
    "Samsung Galaxy S24 Schutzhülle schwarz",
  ])("is true of %s", (title) => {
    expect(isAccessory(fold(title))).toBe(true);
  });

  it.each([
    "iPhone 15 Pro 128GB SIMフリー",
    "Wireless Earbuds with Charging Case, Bluetooth 5.3",
    "AirPods Pro ケース付き",
    "Kaffeemaschine mit Adapter",
    "アクリルスタンド 犬",
    "枕カバー 綿",
    "ケース 透明",
    "水筒 カバー付き",
    "腕時計 替えベルト・ケース付き",
    "万年筆 カスタム ケース入り",
    "小 ケース",
    "ビール 350ml 1ケース",
    "子供用 自転車",
    "エアコン 6畳用",
    "Dell XPS 13 + Sleeve",
    "Briefcase brown",
  ])("is false of %s", (title) => {
    expect(isAccessory(fold(title))).toBe(false);
  });
});

it.each(["iphone15", "iphone 15", "RTX 4070", "a4 ノート", "ps5", "パンパース 4"])(
  "%s asks for a thing",
  (q) => {
    expect(asksForThing(q)).toBe(true);
  },
);

it.each([
  "iphone 15 ケース",
  "galaxy s24 case",
  "v12 用",
  "hdmi 2.1",
  "万年筆",
  "4901234567894",
  "",
])("%s asks for no thing by name and number, or for a part of it", (q) => {
  expect(asksForThing(q)).toBe(false);
});

it.each([
  ["iPhone 15 128GB", 0],
  ["iPhone 15 Pro", 1],
  ["iPhone 15 Pro Max", 2],
  ["RTX4070Ti SUPER", 2],
  ["Größe 4+ 10-15kg", 1],
  ["HP 364XL", 1],
  ["500ml 2+1", 0],
  ["Fluid LSF 50+", 0],
  ["Windeln Gr. 6 XL (13+ kg)", 0],
  ["MacBook Pro 14 Zoll", 0],
])("%s has %i words of another model", (title, count) => {
  expect(variantsIn(fold(title))).toBe(count);
});
