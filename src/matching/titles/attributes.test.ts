import { describe, expect, it } from "vitest";
import { prepare } from "./prepare.ts";

describe("attributes of a title", () => {
  it.each([
    ["Persil Gel 1,5 l", { quantity: 1500, unit: "ml", pack: null }],
    ["Cola 6 x 0,33 l Dose", { quantity: 330, unit: "ml", pack: 6 }],
    ["SSD 500GB schwarz", { quantity: 500, unit: "GB", colours: ["black"] }],
    ["SSD 500GB und RAM 16GB", { quantity: null, unit: null }],
    ["Refurbished iPad 64 GB", { condition: "refurbished", unit: "GB", quantity: 64 }],
    ["ピカチュウ〔PSA10鑑定済〕", { condition: "graded 10" }],
    ["【中古】本 初回限定", { condition: "used", edition: "first limited" }],
    ["T-Shirt rot Größe XL", { colours: ["red"], size: "xl" }],
    ["Sony WH-1000XM4", { models: ["wh1000xm4"] }],
    ["シルバー925Tシャツ SV925 pt1000", { models: [] }],
    ["S925 925Tシャツ 銀925Tシャツ 925silver S-925 950PT", { models: [] }],
    ["18Kgold 18karat K18YG0.5ct 24Kgold K18 18K", { models: [] }],
    ["S925X Coolpix S1000 925TX K18-100X", { models: ["s925x", "s1000", "925tx", "k18100x"] }],
    ["Kerze 100/68 205/55 R16 Gr. 110/116 T10,5 A4/50 AT-BIO-301", { models: [] }],
    ["470lm 25erpack 24-hour ab dem 12.Monat mind.45%", { models: [] }],
    ["コライドン 349/190 HX6851/53", { models: ["349190", "hx685153", "hx6851"] }],
    ["Leuchtturm1917 A5 Powerbank2024", { models: [] }],
    ["silver 92501 sv9250t", { models: ["92501", "sv9250t"] }],
    ["ブルーレイレコーダー BDZ-FBT2200", { colours: [] }],
    ["ブーツ サイズ:24.0", { size: "24" }],
    ["ブーツ サイズ 24.5cm", { size: "24.5" }],
    ["フリーサイズ 30×40cm", { size: null }],
    ["iPhone 15 ケース 黒", { pack: null }],
    ["アイフォン15ケース", { pack: null }],
    ["天然水 2ケース", { pack: 2 }],
    ["天然水 2L 9本 2ケース", { pack: 18 }],
    ["Python 3 入門", { pack: null }],
    ["sv3 015/108 コライドンex", { pack: null }],
    ["電池 4 本セット", { pack: 4 }],
    ["2024 ミリタリージャケット", { quantity: null, unit: null }],
    ["ビーズ 5ミリ", { quantity: 5, unit: "mm" }],
    ["ビール 350ml 24本×2ケース（48本）", { pack: 48 }],
    ["お茶 24本(12本×2箱)", { pack: 24 }],
    ["ビール 350ml 6缶パック×4 (24缶)", { pack: 24 }],
    ["お茶 500ml×24", { quantity: 500, pack: 24 }],
    ["マット 30cm×40", { pack: null }],
    ["クリップ 6個×6個", { pack: 36 }],
    ["", { quantity: null, pack: null, models: [], colours: [], size: null, edition: null }],
  ])("%j", (title, attributes) => {
    expect(prepare({ title, price: null, categories: [] }).attributes).toMatchObject(attributes);
  });
});
