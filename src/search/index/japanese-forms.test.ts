import { expect, it } from "vitest";
import { titleForms, typedForms } from "./japanese-forms.ts";

it.each([
  ["引き出し付きデスク", ["引出付"]],
  ["詰め合わせ 3種", ["詰合"]],
  ["焼き鳥のたれ", ["焼鳥"]],
  ["赤いりんごと花の器", []],
  ["京都いちご 国産しょうゆ", []],
  ["二つ折り財布 三段重", ["折財布", "2つ折り財布", "3段重"]],
  ["第三者 三日月 四国 一郎 三菱 八幡 百五十枚", []],
  ["第三巻 十二枚 一番 二十本 二〇二五年", ["3巻", "12枚", "1番", "20本", "2025年"]],
  ["白 長靴 黒の帯 綿100%", ["black", "white", "cotton"]],
  ["面白キャラ 赤ちゃん 麻雀 緑茶 絹ごし", []],
])("gives the further forms of %s", (title, forms) => {
  expect(titleForms(title)).toEqual(forms);
});

it.each([
  ["引き出し", ["引出", "引出し"]],
  ["詰め合わせ", ["詰合", "詰合わせ", "詰合せ"]],
  ["2つ折り財布 12枚", ["二つ折り財布"]],
  ["掛時計", []],
  ["液晶テレビ 55V型", ["55型", "55インチ"]],
  ["10段チェスト 12色 20本", ["十段", "十二色", "二十本"]],
  ["十段チェスト", ["10段"]],
  ["ビール 24缶 日本", ["24本", "24個"]],
  ["お~いお茶 ちゅ〜る", ["おーいお茶", "ちゅーる"]],
])("gives what may be typed for %s", (title, forms) => {
  expect(typedForms(title)).toEqual(expect.arrayContaining(forms));
});
