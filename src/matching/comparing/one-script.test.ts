import { describe, expect, it } from "vitest";
import { prepare } from "../titles/prepare.ts";
import { compare } from "./features.ts";
import { score } from "./model.ts";
import { inOneScript } from "./one-script.ts";

const read = (title: string) => prepare({ title, price: null, categories: [] });
const likeness = (left: string, right: string) =>
  score(
    compare(read(left), read(right), () => 1),
    { left: 1, right: 1 },
  );

describe("titles in two scripts", () => {
  it.each([
    ["ナイキ エア フォース 1", "Nike Air Force 1", "nike air force 1"],
    ["ソニー WH-1000XM5", "SONY WH-1000XM5 (B)", "sony wh-1000xm5"],
    ["キヤノン RF50mm", "Canon RF 50mm", "canon rf50mm"],
    ["ザ ノースフェイス バックパック", "The North Face", "the north face バックパック"],
    ["NIKE ナイキ スニーカー", "NIKE sneaker", "nike sneaker"],
    ["サムスン SSD", "Samsung SSD", "samsung ssd"],
  ])("%s is read beside %s", (own, other, expected) => {
    const [left, right] = inOneScript(read(own), read(other));
    expect(left.title.replaceAll(/ {2,}/g, " ").trim()).toBe(expected);
    expect(inOneScript(read(other), read(own)).map(({ title }) => title)).toEqual([
      right.title,
      left.title,
    ]);
  });

  it.each([
    ["ミニ ケース", "men cover"],
    ["ナイキ シャツ", "ナイキ nike shirt"],
  ])("%s stays as it is beside %s as far as they have other words", (own, other) => {
    const [left] = inOneScript(read(own), read(other));
    expect(left.title).toContain(own.split(" ")[0]);
  });

  it.each([
    ["スタンレー クラシック真空ボトル 1L", "STANLEY Classic Vacuum Bottle 1.0L"],
    ["ニューバランス CM996 グレー", "New Balance CM996 grey"],
    ["レゴ テクニック フェラーリ 42143", "LEGO Technic Ferrari 42143"],
  ])("tell that %s and %s are likely the same", (left, right) => {
    expect(likeness(left, right)).toBeGreaterThan(0.5);
  });

  it("tell two products apart", () => {
    expect(likeness("レゴ テクニック フェラーリ 42143", "LEGO Technic Porsche 42096")).toBeLessThan(
      0.3,
    );
  });
});
