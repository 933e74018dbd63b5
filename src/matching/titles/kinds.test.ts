import { describe, expect, it } from "vitest";
import { compare } from "../comparing/features.ts";
import { prepare } from "./prepare.ts";
import { createIdf } from "../comparing/words-compared.ts";

const idf = createIdf(10_000, (token) => token.length ** 3);
const item = (title: string) => prepare({ title, price: null, categories: [] });

/** Titles of one model, each pair with its vetoes. */
describe("variants of one model", () => {
  it.each([
    ["Außenspiegel VW Golf 5K0857 links", "Spiegel rechts für Golf 5K0857 VW"],
    ["三菱 冷蔵庫 MR-C33H 右開き", "MITSUBISHI 冷蔵庫 左開き MR-C33H ホワイト"],
    ["Rétroviseur gauche Clio 963022", "Rétroviseur droit Renault 963022"],
    ["Bosch Bremsscheibe 0986479 vorne", "Bosch 0986479 Bremsscheiben hinten"],
    ["モンベル 1128615 メンズ", "モンベル ストームクルーザー レディース 1128615"],
    ["Patagonia Better Sweater 25528 Men's", "Patagonia 25528 Women's Better Sweater"],
    ["HHKB PD-KB800 日本語配列", "HHKB 英語配列 PD-KB800"],
    ["Pokemon Umbreon 215/203 English", "Pokemon Nachtara 215/203 deutsch"],
    ["マキタ TD173D 本体のみ", "マキタ 充電式 TD173D フルセット"],
    ["Bosch GSR18V-55 ohne Akku", "Bosch GSR18V-55 mit 2 Akkus"],
    ["Nikon D750 Body", "Nikon D750 Kit 24-120"],
    ["Nikon D750 レンズキット", "Nikon D750 ボディ"],
    ["9784062748681 文庫", "9784062748681 単行本"],
    ["ABC-12345 DVD", "ABC-12345 Blu-ray"],
    ["マットレス MT-1000 シングル", "マットレス セミダブル MT-1000"],
    ["マットレス MT-1000 ダブル", "マットレス セミダブル MT-1000"],
    ["LED電球 LDA7-G 電球色", "LDA7-G LED電球 昼白色 E26"],
    ["リンナイ KG67BKR 都市ガス", "リンナイ KG67BKR プロパン"],
    ["SRCL-11111 通常盤", "SRCL-11111 初回仕様限定盤"],
    ["Brother TN-2420 トナー", "Brother TN-2420 互換トナー"],
    ["Brother TN-2420 Original", "TN-2420 Brother Toner wiederaufbereitet"],
    ["ピカチュウex 132/106 SAR", "ピカチュウex 132/106 SAR【中国語版】"],
    ["ルフィ OP05-119 SEC", "ルフィ OP05-119 SEC パラレル"],
    ["Lightning Bolt M11-149 foil", "Lightning Bolt M11-149"],
    ["RD/KP01-JP000 UR", "遊戯王 RD/KP01-JP000 ORR"],
    ["青眼の白龍 QCCP-JP001 ウルトラ", "青眼の白龍 QCCP-JP001 シークレット"],
    ["ND92340 ジャケット L ブラック", "ND92340 黒 ジャケット M"],
    ["T1234 S フレックス", "T1234 ドライバー R フレックス"],
    ["Intel Core i9-13900K", "Intel i9 13900KS Prozessor boxed i9-13900KS"],
    ["AMD Ryzen 7 5800X3D Vermeer", "AMD Ryzen 7 5800X Vermeer"],
    ["MSI GeForce RTX4070 VENTUS", "MSI GeForce RTX 4070 SUPER VENTUS"],
    ["Michelin 225/45 R17 94Y XL", "Michelin 225/45 R17 91W"],
    ["TYPE-A CD SRCL-9001", "TYPE-B CD SRCL-9001"],
    ["キーボード K2-100 赤軸", "キーボード K2-100 茶軸"],
    ["KATO 10-1234 基本 Nゲージ", "KATO 10-1234 増結 Nゲージ"],
    ["アシックス 1011B189 25.5cm 4E", "アシックス 1011B189 25.5cm 2E"],
    ["Leuchtturm1917 A5 schwarz", "Leuchtturm1917 A6 schwarz"],
    ["シマノ CS-R8000 11-25T スプロケット", "SHIMANO CS-R8000 11S 11-28T"],
    ["THE NORTH FACE ND92340 K ブラック L", "ノースフェイス ND92340 黒 Mサイズ"],
    ["リザードンex SAR 201/165 PSA10", "ポケモンカード リザードンex 201/165 SAR"],
    ["リザードンex 201/165 PSA10", "ポケモンカード リザードンex 201/165 PSA9"],
    ["ルフィ OP01-003 L リーダーパラレル", "ルフィ【L】{OP01-003}"],
    ["Pokemon Glurak ex 199/165 deutsch", "Pokémon Charizard ex 199/165 EN NM"],
    ["HG 1/144 RX-78-2 ガンダム", "RG 1/144 RX-78-2 ガンダム"],
    ["MG 1/100 RX-78-2 Ver.2.0", "マスターグレード 1/100 RX-78-2 Ver.3.0"],
    ["Tamron 28-75mm A063 Sony E", "タムロン A063 28-75mm ニコンZ"],
    ["SHIMANO BR-R9270 フロント", "BR-R9270 デュラエース 後用"],
    ["WD_BLACK SN850X 1TB", "WD Black SN850X 1TB Heatsink"],
    ["AMD Ryzen 7 7800X3D tray", "AMD Ryzen 7 7800X3D boxed"],
  ])("%j and %j are two", (left, right) => {
    expect(compare(item(left), item(right), idf).vetoes).toEqual(["edition"]);
    expect(compare(item(right), item(left), idf).vetoes).toEqual(["edition"]);
  });

  it.each([
    ["Joy-Con (L)/(R) HAD-S-KABAH", "Joy-Con 左右セット HAD-S-KABAH"],
    ["Intel Core i7-7700K BX80677I77700K", "Intel i7 7700K boxed"],
    ["Michelin 225/45 R17 94Y", "Michelin 225/45 ZR17 94Y"],
    ["Canon PIXMA XK110 純正 インク", "Canon PIXMA XK110 インク"],
    ["Anker A1263 compatible with iPhone", "Anker A1263"],
    ["タイトリスト 右用 T1234", "タイトリスト T1234"],
    ["Nikon D750 Body", "Nikon D750"],
    ["SONY ILCE-7M4 ミラーレス一眼", "SONY ILCE-7M4"],
    ["Lave-linge à hublot T1234 l'eau", "Lave-linge T1234 d'eau S"],
    ["Sony WH-1000XM4 Wireless Headphones", "Sony WH-1000XM4 Bluetooth Headphones"],
    ["Mark II EOS R6", "Mark 2 EOS R6"],
    ["クリア リアル WH-1000", "フロント WH-1000"],
    ["Samsung 990 PRO 1TB ヒートシンク無し", "Samsung 990 PRO 1TB"],
    ["DHC ビタミンC 500 mg", "PG ビタミンC 500mg"],
    ["Sony FE 24-70mm SEL2470GM2", "ソニー SEL2470GM2 Eマウント"],
    ["Makita BL1860B 2x", "マキタ BL1860B A-60464"],
  ])("%j and %j may be one", (left, right) => {
    expect(compare(item(left), item(right), idf).vetoes).toEqual([]);
  });
});
