import { describe, expect, it } from "vitest";
import { page, titled, titledSearchForAll, titles } from "../support/titled-search.ts";

const { openAll, openSearch, ask, silentEngine } = titledSearchForAll();

describe("a word that no product has", () => {
  it("is replaced by a near one, and the answer says so", async () => {
    const hits = await ask({ q: "galvanized pibe" });
    expect(titled(hits.ids)[0]).toBe("Galvanized Pipe 10 ft.");
  });

  it.each([
    ["ポスカトード", "ポストカード", "京都のポストカード"],
    ["クリアフアル 猫", "クリアファイル 猫", "クリアファイル 猫"],
    ["バイオリソ", "ヴァイオリン", "ヴァイオリンの弦"],
    ["アクリルスンタド 犬", "アクリルスタンド 犬", "アクリルスタンド 犬"],
    ["gardne stake", "garden stake", "Steel Garden Stake"],
    ["Klingel fahrad günstig", "Klingel fahrrad", "Fahrrad Klingel"],
    ["Kpofhörer", "kopfhörer", "Kopfhörer Bluetooth"],
    ["stel stake", "steel stake", "Steel Garden Stake"],
  ])("of %s is read as %s, without the engine too", async (q, corrected, title) => {
    for (const search of [openSearch(), openSearch(silentEngine())]) {
      const hits = await search({ ...page, q });
      expect(hits.corrected).toBe(corrected);
      expect(titled(hits.ids)[0]).toBe(title);
    }
  });

  it.each([
    ["parts of two words", "スイッチ 犬"],
    ["the end of a word", "ショック 犬"],
    ["another short word", "ソックス 犬"],
    ["another word, where it is a known one", "パープル 犬"],
    ["one with other small kana", "クレヨン 犬"],
    ["another word of four letters", "クッカー 犬"],
    ["another Latin word of four letters", "pine 犬"],
    ["a part of a code, where titles have it in other letters", "catan"],
  ])("is not read as %s", async (_, q) => {
    for (const search of [openSearch(), openSearch(silentEngine())])
      expect((await search({ ...page, q })).corrected).toBeNull();
  });

  it("W1: is answered however long or odd it is", async () => {
    const odd = [
      "あ".repeat(200),
      "あいあいあい",
      "ぬ".repeat(3) + "'\\",
      titles.join("").slice(0, 200),
    ];
    for (const q of [...odd, odd.join(" ").slice(-200)]) {
      expect((await ask({ q })).found, q).toBe(0);
    }
  });

  it("is no other measure", async () => {
    const { found, ids, partial } = await ask({ q: "galax 120gb" });
    const [first = 0] = ids;
    expect([found, titled([first]), partial.get(first)]).toEqual([
      0,
      ["Galax X20 128GB SIMフリー"],
      ["120"],
    ]);
  });

  it("of letters and digits is replaced by a near one too, and the answer says so", async () => {
    const hits = await ask({ q: "SXN15007" });
    expect([hits.corrected, titled(hits.ids)]).toEqual(["sxn15005", ["ボールペン SXN15005"]]);
  });

  it("is kept in quotes", async () => {
    const hits = await ask({ q: '"gardne" "stake"' });
    expect([hits.found, hits.corrected]).toEqual([0, null]);
  });
});

const found: [string, string][] = [
  ['3/4" copper elbow', "Copper Elbow 3/4 in."],
  ["0.75 inch copper elbow", "Copper Elbow 3/4 in."],
  ["aa battery", "AA Batteries 4 Pack"],
  ["4 pk batteries", "AA Batteries 4 Pack"],
  ["Kopfhoerer", "Kopfhörer Bluetooth"],
  ["tshirt", "T-Shirt weiß"],
  ["t shirt weiss", "T-Shirt weiß"],
  ["革財布", "ハンドメイド革財布"],
  ["ﾊﾝﾄﾞﾒｲﾄﾞ", "ハンドメイド革財布"],
  ["京都", "京都のポストカード"],
  ["クリアフアイル", "クリアファイル 猫"],
  ["クリヤファイル ネコ", "クリアファイル 猫"],
  ["アイフォンケース", "iPhoneケース 手帳型"],
  ["アクスタ", "アクリルスタンド 犬"],
  ["サーバ", "サーバーラック"],
  ["取付け", "木の取り付け金具"],
  ["バイオリン", "ヴァイオリンの弦"],
  ["斉藤 ハロウイン", "斎藤工房のハロウィン飾り"],
  ["齋藤", "斎藤工房のハロウィン飾り"],
  ["とーとばっぐ", "トートバッグ 生成り"],
  ["手拭い", "手ぬぐい 桜柄"],
  ["ぽすとかーど", "京都のポストカード"],
  ["gardenstake", "Steel Garden Stake"],
  ["galvanizedpipe 10ft", "Galvanized Pipe 10 ft."],
  ["詰替え", "洗剤 詰め替え用"],
  ["詰替", "洗剤 詰め替え用"],
  ["積木", "積み木 500ml"],
  ["500cc", "積み木 500ml"],
  ["引き出し", "チェスト 引出"],
  ["栗 詰合せ", "栗の詰合わせ"],
  ["2つ折り", "二つ折りの紙"],
  ["三段", "3段のラック"],
  ["積木 0.5l", "積み木 500ml"],
  ["積木 50 cl", "積み木 500ml"],
  ["お積み木", "積み木 500ml"],
  ["pfanne 28cm", "Bratpfanne beschichtet 28 cm"],
  ["hoerer bluetooth", "Kopfhörer Bluetooth"],
  ["bratpfanne 280mm", "Bratpfanne beschichtet 28 cm"],
  ["白いワッフル", "白 ワッフル生地"],
  ["単3 乾電池", "単三形 乾電池"],
  ["curtains 52 x 84", "Curtain grey 52x84"],
  ["나이키운동화", "나이키 운동화"],
  ["つみき", "積み木 500ml"],
  ["つめかえ 洗剤", "洗剤 詰め替え用"],
  ["gray curtains", "Curtain grey 52x84"],
  ["levis 501", "リーバイス 501 ジーンズ"],
  ["フェンダー ギター", "Fender Player ギター"],
  ["折り畳み椅子", "折りたたみチェア カーキ"],
  ["長靴 黒", "長靴 ブラック"],
  ["長靴 黒色", "長靴 ブラック"],
  ["白色 ワッフル", "白 ワッフル生地"],
  ["歯みがき粉", "歯磨き粉 ミント"],
  ["卵焼き器", "玉子焼き器 銅"],
  ["4060ti", "グラフィックボード RTX4060Ti 8GB"],
  ["uisukii", "ウイスキー 12年"],
  ["shatsu", "シャツ 長袖"],
  ["単四電池", "単4乾電池"],
  ["広辞苑 7版", "広辞苑 第七版"],
  ["漫画 全巻", "漫画 全23巻セット"],
  ["探偵 13巻", "探偵 vol.13"],
  ["galaxx20", "Galax X20 128GB SIMフリー"],
  ["こうじえん 第七版", "広辞苑 第七版"],
  ["モンベル 寝袋", "mont-bell 寝袋"],
  ["ノースフェイス", "THE NORTH FACE ダッフル"],
  ["kate", "ケイト 口紅"],
  ["karcher", "ケルヒャー 高圧洗浄機"],
  ["ティシュー", "ティッシュ 150組"],
  ["ecam22110b", "De'Longhi ECAM 22.110.B Kaffeevollautomat"],
  ["lachs 0,175 kg", "Lachs Norwegen 175 g"],
  ["ビール 3ケース", "黒ビール 24本 ケース販売"],
  ["ラロッシュポゼ", "ラ ロッシュ ポゼ クリーム"],
  ["campus ノート", "キャンパスノート 方眼"],
  ["zelda", "ゼルダの伝説"],
  ["スイッチ ターコイズ", "Switch Lite ターコイズ"],
  ["おしり探偵", "おしりたんてい 5"],
  ["斜め掛け リュック", "斜めがけ リュック"],
  ["集塵機", "集じん機 ホース"],
  ["ロボクエスト 3", "ロボクエストIII"],
  ["ロボクエストXI", "ロボクエスト11"],
  ["w71295", "Mann W 712/95"],
  ["fxjp900", "電卓 fx-JP900CW"],
  ["akku 5ah", "Akku 18V 5,0 Ah"],
  ["eyelin brus", "Eyeliner Brush"],
  ["スノーピ", "スノーピーク テント"],
  ["regenjacke gr 40", "Regenjacke Damen Größe 40"],
  ["catan", "カタン 拡張版"],
  ["yanagi sori", "柳宗理 レードル"],
  ["モンハン", "モンスターハンター 攻略本"],
  ["空気清浄器 8帖", "空気清浄機 8畳用"],
  ["テレビ 55インチ", "液晶テレビ 55V型"],
  ["モニター 27型", "モニター 27インチ"],
  ["マグ オレンジ色", "マグ オレンジ 綿棒入れ"],
  ["シルク 写真立て", "フォトフレーム 絹張り"],
  ["アイホンケース", "iPhoneケース 手帳型"],
  ["cofee grinder", "Coffee Grinder"],
];

describe("suggestions", () => {
  it.each([
    ["kopfh", "Kopfhörer"],
    ["gardne stake", "Garden Stake"],
    ["ポスカトード", "ポストカード"],
    ["galvanized batteries", "Batteries"],
    ["とーとば", "トートバッグ"],
    ["トートバッg", "トートバッグ"],
    ["アイフォン", "iPhone"],
    ["sxn 150", "SXN15005"],
    ["スノーピ", "スノーピーク"],
    ["まんねんひ", "万年筆"],
    ["shats", "シャツ"],
    ["mannenhits", "万年筆"],
    ["フェンダ", "Fender"],
    ["ふぇんだ", "Fender"],
    ["ゼルダ", "ゼルダの伝説"],
    ["snoop", "スヌーピー"],
  ])("complete and correct %j, and each of them finds a product", async (typed, offered) => {
    const { suggest, search } = openAll();
    const { items } = await suggest(typed, 8);
    expect(items.map(({ text }) => text).join("; ")).toContain(offered);
    for (const { text } of items)
      expect((await search({ ...page, q: text })).found).toBeGreaterThan(0);
  });

  it.each([
    ["とーとば", "トートバッグ"],
    ["アイフォン", "iPhone"],
    ["snoop", "スヌーピー"],
    ["フェンダ", "Fender"],
    ["ふぇんだ", "Fender"],
    ["まんねんひ", "万年筆"],
    ["galax x2", "Galax X20"],
  ])("complete %j without the engine too", async (typed, offered) => {
    const { items } = await openAll(silentEngine()).suggest(typed, 8);
    expect(items.map(({ text }) => text).join("; ")).toContain(offered);
  });
});

it("offers no shop for signs alone, or for what is to be left out", async () => {
  const { suggest } = openAll();
  for (const typed of ["（", "-", "-紙", "!?"]) {
    const { items } = await suggest(typed, 8);
    expect([typed, items.filter(({ kind }) => kind === "shop")]).toEqual([typed, []]);
  }
});

describe("words as shoppers type them", () => {
  it.each(found)("%s finds %s, with the engine and without", async (q, title) => {
    const { ids, partial } = await ask({ q });
    expect([titled(ids)[0], partial.has(ids[0] ?? 0)]).toEqual([title, false]);
    const degraded = await openSearch(silentEngine())({ ...page, q });
    expect(degraded.degraded).toBe(true);
    expect(titled(degraded.ids)).toContain(title);
  });

  it.each(["万年筆", "まんねんひつ"])(
    "%s is shown before its case, without the engine too",
    async (q) => {
      for (const search of [openSearch(), openSearch(silentEngine())]) {
        expect(titled((await search({ ...page, q })).ids)).toEqual([
          "万年筆 カスタム 太字 ブラック ペン先 14金",
          "万年筆 ケース 革 2本",
        ]);
      }
    },
  );

  it.each([
    ["11427566327", "Ölfilter 11 42 7 566 327"],
    ["おーいお茶", "お～いお茶"],
  ])("%s finds %s", async (q, title) => {
    expect((await ask({ q })).found).toBe(1);
    expect(titled((await ask({ q })).ids)[0]).toBe(title);
  });

  it("karcher does not find ケトル", async () => {
    expect(titled((await ask({ q: "karcher" })).ids)).toEqual(["ケルヒャー 高圧洗浄機"]);
  });

  it("names a missing number as it was typed", async () => {
    const { ids, partial } = await ask({ q: "kopfhörer 1,5" });
    expect(partial.get(ids[0] ?? 0)).toEqual(["1,5"]);
  });

  it("椅子 does not find ウイスキー", async () => {
    expect(titled((await ask({ q: "椅子" })).ids)).toEqual(["折りたたみチェア カーキ"]);
  });

  it("京都 does not find 東京都", async () => {
    expect(titled((await ask({ q: "京都" })).ids)).not.toContain("東京都の地図");
  });
});
