import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, featureNames } from "./comparing/features.ts";
import { score } from "./comparing/model.ts";
import { shippedModel } from "./comparing/model-weights.ts";
import { prepare, type MatchInput } from "./titles/prepare.ts";
import { tierOf } from "./comparing/limits.ts";
import { createIdf } from "./comparing/words-compared.ts";

const idf = createIdf(10_000, (token) => token.length ** 3);
const item = (title: string, more: Partial<MatchInput> = {}) =>
  prepare({ title, price: null, categories: [], ...more });
const pair = (left: string, right: string) => compare(item(left), item(right), idf);

const word = fc.oneof(
  fc.constantFrom(
    "sony",
    "DSC-RX100M3",
    "6 x 0,5 l",
    "500ml",
    "黒",
    "第3巻",
    '13"',
    "1,299",
    "Größe",
    "used",
  ),
  fc.constantFrom(
    "【SAR】",
    "psa10",
    "中古",
    "ⅷ",
    "ﷺ",
    "10",
    "2017",
    "1.5",
    "gr. 4",
    "pack of 3",
    "ケース",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const input: fc.Arbitrary<MatchInput> = fc.record({
  title: fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
  detail: fc.string({ maxLength: 40 }),
  price: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
  brand: fc.constantFrom("", "Sony", "Nivea"),
  categories: fc.constant([]),
});

describe("comparing two products", () => {
  it("is symmetric and a number whatever the texts", () => {
    fc.assert(
      fc.property(input, input, (one, other) => {
        const [left, right] = [prepare(one), prepare(other)];
        const there = compare(left, right, idf);
        const back = compare(right, left, idf);
        expect(there.features).toHaveLength(featureNames.length);
        for (const [i, value] of there.features.entries()) {
          expect(value).toSatisfy(Number.isFinite);
          expect(back.features[i]).toBeCloseTo(value, 9);
        }
        expect(back.vetoes).toEqual(there.vetoes);
        expect(back.sharesModel).toBe(there.sharesModel);
        const context = { left: 1, right: 0.5 };
        const probability = score(there, context);
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
        expect(score(back, { left: 0.5, right: 1 })).toBeCloseTo(probability, 9);
      }),
    );
  });

  it("finds nothing against a product that is the same to the letter", () => {
    fc.assert(
      fc.property(input, (one) => {
        const { vetoes, cosine } = compare(prepare(one), prepare(one), idf);
        expect(vetoes).toEqual([]);
        expect(cosine).toSatisfy((value: number) => value === 0 || value > 0.999_999);
      }),
    );
  });

  it.each([
    "a",
    "1",
    "1x",
    "a-1",
    '1" ',
    "あ1個",
    "1,",
    "6 x 500ml ",
    "w1 ",
    "ﷺ",
    "【a】",
    "size ",
  ])("keeps no more than a few hundred letters and tokens of ten thousand %j", (part) => {
    const letters = part.repeat(10_000 / part.length);
    const left = item(letters, { detail: letters, brand: letters });
    const right = item(`${letters}b`);
    compare(left, right, idf);
    expect(left.tokens.length).toBeLessThanOrEqual(80);
    expect(left.squeezedAll.length).toBeLessThanOrEqual(10_000);
    expect(left.grams.length).toBeLessThanOrEqual(10_000);
    expect(left.sorted.length).toBeLessThanOrEqual(80);
    expect(left.models.length).toBeLessThanOrEqual(12);
  });

  it("has a weight for each feature", () => {
    const names = shippedModel.features.map(({ name }) => name);
    expect(names).toEqual([...featureNames, "contextMin", "contextMax"]);
  });
});

describe("vetoes", () => {
  it.each([
    ["Persil Gel 1,5 l", "Persil Gel 1500 ml", []],
    ["Persil Gel 1,5 l", "Persil Gel 2 l", ["unit", "number"]],
    ["Cola 6 x 0,33 l", "Cola 330 ml", ["pack"]],
    ["Tee 20 Btl", "Tee 40 Btl", ["pack"]],
    ["Phone X100 black", "Phone X100 schwarz", []],
    ["Phone X100 black", "Phone X100 weiß", ["colour"]],
    ["マグカップ 黒", "マグカップ ホワイト", ["colour"]],
    ["Kalender 2023 Katzen", "Kalender 2024 Katzen", ["year", "number"]],
    ["漫画 第3巻", "漫画 第4巻", ["series"]],
    ["Manga vol. 3", "Manga Vol 3", []],
    ["リザードン 英語版", "リザードン 中国語版", ["edition"]],
    ["リザードン 【SR】", "リザードン 【SAR】", ["edition"]],
    ["無限泡影【SR】{AC01-JP044}", "AC01-JP044 無限泡影 ウルトラレア", ["edition"]],
    ["無限泡影【SEC】{AC01-JP044}", "無限泡影【シークレット】{AC01-JP044}", []],
    ["シークレットブーツ 黒", "シークレットブーツ ブラック【N】", []],
    ["Nagellack 17 Muchi", "Nagellack 18 Muchi", ["number"]],
    ['Monitor 24" Dell', "Monitor Dell 61 cm", []],
    ["Shirt Größe M", "Shirt Größe L", ["size"]],
    ["カード〔状態B〕", "カード", []],
    ["スタンスミス FX5500 サイズ26", "スタンスミス FX5500 サイズ26.5", ["size", "number"]],
    ["スタンスミス FX5500 サイズ26", "スタンスミス FX5500 26.0cm", []],
    ["スタンスミス FX5500 サイズ26.5", "スタンスミス FX5500 26cm", ["size"]],
    ["スタンスミス FX5500 US8", "スタンスミス FX5500 27cm", ["size"]],
    ["フライパン マーブル 26cm", "フライパン マーブル Mサイズ", []],
    ["New Balance ML574EVG 27cm", "New Balance ML574EVG 27.5cm", ["size"]],
    ["Canon BCI-381XL イエロー", "Canon BCI-381XL シアン", ["colour"]],
    ["BC-1234 グラス 2客セット", "BC-1234 グラス", ["pack"]],
    ["Philips Hue E27 2er-Pack", "Philips Hue E27 Doppelpack", []],
    ["QCCP-JP001 クオーターセンチュリーシークレットレア", "QCCP-JP001【QCSE】", []],
    ["コライドンex 015/108", "015/108 コライドンex", []],
    ["お茶 500ml×24", "お茶 500ml 24本", []],
    ["ビール 350ml 24本×2ケース（48本）", "ビール 350ml×48本", []],
    ["お茶 500mlx24本", "お茶 500ml×24", []],
    ["お茶 500mlｘ24本", "お茶 500ml×12", ["pack"]],
    ["Tuch 30cmx40cmx5cm", "Tuch 30 x 40 x 5 cm", []],
    ["Galaxy A15 4GB RAM 128GB", "Galaxy A15 4/128 GB", []],
    ["Galaxy A15 4GB RAM 128GB", "Galaxy A15 6/128 GB", ["number"]],
    ["Crucial DDR4-3200 16GB Kit (2x8GB)", "Crucial DDR4 3200 8GBx2 16GB", []],
    ["Crucial DDR4-3200 16GB (8GB×2枚)", "Crucial DDR4-3200 16GB", []],
    ["Crucial DDR4-3200 16GB (8GB×2枚)", "Crucial DDR4-3200 8GB", ["unit", "number"]],
    ["SanDisk 64GB×2枚", "SanDisk 64GB", ["pack"]],
    ["Windeln Premium 84 Stück", "Premium 84 Windeln", []],
    ["CW2288-111 BLK", "CW2288-111 ブラック", []],
    ["CW2288-111 BLK", "CW2288-111 WHT", ["colour"]],
    ["サーモス JNL-506-WH", "サーモス JNL-506 白", []],
    ["サーモス JNL-506-WH", "サーモス JNL-506 ブラック", ["colour"]],
    ["サーモス JNL-506 黒×赤", "JNL-506 サーモス ブラック/レッド", []],
    ["サーモス JNL-506 黒×赤", "JNL-506 サーモス ブラック/ブルー", ["colour"]],
    ["サーモス JNL-506 チャコール", "JNL-506 サーモス 黒", ["colour"]],
    ["サーモス JNL-506 水色", "JNL-506 サーモス ブルー", []],
    ["ジャケット 1128615 2XL", "ジャケット 1128615 XXLサイズ", []],
    ["ジャケット 1128615 サイズLL", "ジャケット 1128615 XLサイズ", []],
    ["ジャケット 1128615 M", "ジャケット 1128615 Mサイズ", []],
    ["asics 1011B548 US8.5 26.5cm", "asics 1011B548 26.5cm", []],
    ["asics 1011B548 26.5", "asics 1011B548 27cm", ["size"]],
    ["asics 1011B548 26.5", "1011B548 asics 26.5cm", []],
    ["FC-R7100 170mm", "FC-R7100 165mm", ["unit", "number"]],
    ["Levi's 501-0000 W32 L34", "Levi's 501-0000 W34 L34", ["size"]],
    ["Levi's 501-0000 W32 L34", "Levis 501-0000 32/32", ["size"]],
    ["Levi's 501-0000 W32/L34", "Levis 501-0000 32/34", []],
    ["Nike CN8490-100 EU 44", "ナイキ CN8490-100 28cm", []],
    ["Nike CN8490-100 EU 44", "ナイキ CN8490-100 26cm", ["size"]],
    ["マグカップ くろ", "マグカップ しろ", ["colour"]],
    ["マグカップ くろ", "マグカップ ブラック", []],
    ["おおきな ふくろ 赤", "ふくろ おおきな レッド", []],
    ["熱さまシート 16枚(12+4枚)", "熱さまシート 12+4枚", []],
    ["熱さまシート 12+4枚", "熱さまシート 12枚", ["pack"]],
    ["Sonnenstick LSF 50+ 2 Stück", "Sonnenstick LSF 50+ 2er Pack", []],
    ["Catan Spiel 3-4 Spieler", "KOSMOS 682682 Catan Spiel", []],
    ["LEGO Icons 10300", "LEGO Icons 10304", ["number"]],
    ["3x Haribo Goldbären 200g", "Haribo Goldbären 3 x 200 g", []],
    ["3x Haribo Goldbären 200g", "Haribo Goldbären 200 g", ["pack"]],
    ["2x8 Fernglas", "Fernglas 2x8", []],
    ["Knoppers 60g 3er Pack", "Knoppers 3 x 20 g", []],
    ["Knoppers 60g 3er Pack", "Knoppers 3 x 30 g", ["unit", "number"]],
    ["Knoppers 60g", "Knoppers 20g", ["unit", "number"]],
    ["シマノ FC-R7100 170mm", "シマノ FC-R7100 172.5mm", ["unit", "number"]],
    ["Snowboard Custom 154 cm", "Custom Snowboard 156cm", ["unit", "number"]],
    ['Monitor U2414H 23.8"', "Monitor U2414H 24 Zoll", []],
    ["呪術廻戦 24", "呪術廻戦 第25巻", ["number"]],
    ["呪術廻戦 25", "呪術廻戦 第25巻", []],
    ["ジャケット NP62236 ブラック", "NP62236 ニュートープ ジャケット", ["colour"]],
    ["QCCP-JP001 クォーターセンチュリーシークレット", "QCCP-JP001【QCシークレット】", []],
  ])("of %j and %j", (left, right, vetoes) => {
    expect(pair(left, right).vetoes).toEqual(vetoes);
  });

  it("forbids a price twice as high", () => {
    const at = (price: number) => item("Sony WH-1000XM4", { price });
    expect(compare(at(100), at(199), idf).vetoes).toEqual([]);
    expect(compare(at(100), at(200), idf).vetoes).toEqual(["price"]);
  });
});

describe("model numbers", () => {
  it.each([
    ["Sony DSC-RX100 M3 camera", "sony dscrx100 iii camera", true],
    ["D-Link DCS-5010L Camera", "D-Link Camera DCS 5010L", true],
    ["Hundefutter 10kg 10000 g", "Vogelfutter 10kg 10000 g", false],
    ["Film 1080p mp3 ddr4 802.11n", "Film 1080p mp3 ddr4 802.11n", false],
    ["FF14 サントラ", "FF14 コレクション", false],
    ["HP 637414-B21 Xeon", "Xeon HP 637414B21", true],
    ["SONY WH-1000XM5", "SONY WH-1000XM5 用 交換イヤーパッド", false],
    ["SONY WH-1000XM5", "SONY WH-1000XM5対応 ケース", false],
    ["SONY WH-1000XM5 4K対応", "SONY WH-1000XM5", true],
    ["SONY WH-1000XM5", "Hard case for Sony WH-1000XM5 headphones", false],
    ["SONY WH-1000XM5 対応 ケース", "WH-1000XM5 用 ハードケース", true],
    ["SONY WH-1000XM5 対応 ケース", "SONY WH-1000XM5 用 バッテリー", false],
    ["Battery for Leica GEB121", "Leica GEB121 battery", true],
    ["Brother LC411-4PK 純正", "Brother LC411-4PK 互換インク", false],
    ["カシオ GA-2100-1A1JF", "カシオ GA-2100-1A1JF 空箱", false],
    ["SONY WF-1000XM5", "SONY WF-1000XM5 左耳のみ", false],
    ["カシオ GA-2100-1A1JF", "カシオ GA-2100-1A1JF 説明書付き", true],
    ["LEGO 42143 Ferrari", "nur Bauanleitung LEGO 42143 Ferrari", false],
    ["伊右衛門 500mlx24本", "綾鷹 500mlx24本", false],
    ["Matte Bambus 60cmx90cm", "Teppich 60cmx90cm", false],
    ["Michelin 205/55R16", "ブリヂストン 205/55R16", false],
    ["Schwalbe 37-622", "Continental 37-622", false],
    ["Canon EF50mm F1.8", "Tamron EF50mm F1.2", false],
    ["Sennheiser HD660S", "Sennheiser HD 660S2", false],
    ["Sony SEL2470GM", "Sony SEL2470GM2", false],
    ["ATH-M50x", "ATH-M50xBT2 ワイヤレス", false],
    ["RX 7600", "AB-RX76001", false],
    ["Intel i7-6700K", "Intel BX80662I76700K", true],
    ["Samsung MZ-V9P1T0B", "Samsung MZ-V9P1T0B-IT", true],
    ["Sony WHCH720N/B", "SONY WH-CH720N", true],
    ["D-Link DCS 5010L用 電源", "D-Link DCS-5010L用 電源", true],
    ["Apple MTJV3J/A", "AirPods Pro MTJV3J/A", true],
    ["WD SN850X 1TB", "WD_BLACK SN850X", true],
    ["AMD 7700X 4.5GHz", "AMD 7700X", true],
    ["AMD 7800X3D", "AMD 7800X", false],
  ])("%j and %j", (left, right, shares) => {
    expect(pair(left, right).sharesModel).toBe(shares);
  });
});

describe("features", () => {
  const feature = (left: string, right: string, name: (typeof featureNames)[number]) =>
    pair(left, right).features[featureNames.indexOf(name)];

  it("take a number with another digit for no short form of a model", () => {
    expect(feature("Dell XPS8930", "Dell XPS89301", "modelPrefix")).toBe(0);
    expect(feature("Sony HX400", "Sony HX400V", "modelPrefix")).toBe(1);
  });

  it("tell what a product is for from what it is", () => {
    const camera = "Canon EOS T7i Kamera";
    const battery = "Canon Akku LP-E17 für Canon EOS T7i";
    expect(feature(camera, battery, "sharedFor")).toBeGreaterThan(0.9);
    expect(feature("Akku LP-E17 passend für Canon EOS T7i", battery, "sharedFor")).toBe(0);
    expect(feature("SONY WH-1000XM5", "Case for SONY WH-1000XM5", "modelsEqual")).toBe(0);
    expect(feature("SONY WH-1000XM5", "SONY WH1000XM5 schwarz", "modelsEqual")).toBe(1);
  });

  it.each([
    ["キヤノン プリンター", "キャノン プリンタ"],
    ["ルイ・ヴィトン ウィスキー", "ルイ ビトン ウイスキー"],
    ["呪術廻戦 第25巻", "呪術廻戦 25"],
    ["泡ハンドソープ 詰め替え用", "泡ハンドソープ つめかえ用"],
    ["デリケート・ジャスミン", "デリケートジャスミン"],
    ["Sprudel 6 x 1,5 l", "Sprudel 6er-Pack 1,5 Liter"],
  ])("take %j and %j for the same words", (left, right) => {
    expect(feature(left, right, "softMin")).toBeGreaterThan(0.99);
  });

  it("take signs of trade marks for no letters", () => {
    expect(feature("Intel® Core™ i5", "Intel Core i5", "jaccard")).toBe(1);
  });
});

describe("tiers", () => {
  const alike = { sharesModel: true, softMin: 0.9, vetoes: [] };
  it.each([
    [alike, 0.8, true, "equal"],
    [alike, 0.79, true, "none"],
    [alike, 0.99, false, "none"],
    [{ ...alike, vetoes: ["pack" as const] }, 0.99, true, "none"],
    [{ ...alike, sharesModel: false }, 0.96, true, "similar"],
    [{ ...alike, sharesModel: false }, 0.94, true, "none"],
    [{ ...alike, sharesModel: false, softMin: 0.3 }, 0.99, true, "none"],
  ])("%j with score %d, mutual best %j: %s", (comparison, probability, isMutualBest, tier) => {
    expect(tierOf(comparison, probability, isMutualBest)).toBe(tier);
  });
});
