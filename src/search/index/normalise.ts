/**
 * Old and variant forms of kanji, each followed by the form that replaces it in texts and queries. Only
 * pairs that shoppers take for one character; no replacement is itself replaced.
 */
const pairs =
  "髙高 﨑崎 嵜崎 齋斎 齊斉 邊辺 邉辺 濵浜 濱浜 澤沢 廣広 國国 嶋島 嶌島 櫻桜 惠恵 德徳 栁柳 桒桑 " +
  "冨富 𠮷吉 眞真 靑青 淸清 黑黒 瀨瀬 瀧滝 曾曽 壽寿 實実 寶宝 圓円 榮栄 縣県 學学 鐵鉄 藝芸 繪絵 " +
  "繩縄 續続 絲糸 豐豊 醫医 錢銭 關関 靈霊 顏顔 飮飲 驛駅 髮髪 鷄鶏 麥麦 麵麺 麪麺 點点 齒歯 龜亀 " +
  "爲為 狀状 獨独 疊畳 發発 稻稲 穗穂 篭籠 蘆芦 藥薬 蟲虫 螢蛍 裝装 觸触 讀読 變変 轉転 遙遥 鎭鎮 " +
  "雜雑 雙双 靜静 頰頬 體体 鹽塩 黃黄 燒焼 燈灯 爐炉 畫画 當当 禮礼 總総 聲声 臺台 舊旧 莊荘 萬万 " +
  "藏蔵 處処 號号 衞衛 覺覚 觀観 讓譲 賣売 輕軽 醉酔 隱隠 餘余 騷騒 齡齢 佛仏 來来 假仮 傳伝 價価 " +
  "兒児 凉涼 劍剣 勞労 區区 卷巻 參参 單単 嚴厳 團団 圖図 壞壊 壯壮 奧奥 姬姫 孃嬢 寢寝 寫写 將将 " +
  "屆届 峽峡 峯峰 嶽岳 巖巌 帶帯 彌弥 彈弾 從従 應応 懷懐 戀恋 戰戦 戲戯 拂払 搖揺 收収 數数 晝昼 " +
  "晉晋 條条 橫横 桧檜 歐欧 步歩 歷歴 歸帰 殘残 每毎 氣気 淨浄 淺浅 溪渓 滿満 濕湿 灣湾 祕秘 禪禅 " +
  "窗窓 經経 纖繊 罐缶 聽聴 蠶蚕 裡裏 繡繍 剝剥 搔掻 摑掴 塡填 鷗鴎 蟬蝉 醬醤 蠟蝋 頸頚 萊莱 瘦痩 " +
  "嚙噛 囊嚢 屛屏 幷并 槇槙 啞唖 穎頴 攪撹 麴麹 鹼鹸 蔣蒋 禱祷 桝枡 彎弯 簞箪 繫繋 吞呑 瀆涜 焰焔 " +
  "鴬鶯 驒騨 俠侠 軀躯 靭靱 竃竈 諌諫 壷壺 鯵鰺 蛎蠣 薮藪 蝿蠅 鈎鉤 涛濤 亞亜 惡悪 壓圧 圍囲 緣縁 " +
  "溫温 穩穏 會会 樂楽 渴渇 勸勧 歡歓 僞偽 犧犠 據拠 擧挙 虛虚 挾挟 狹狭 鄕郷 曉暁 驅駆 勳勲 薰薫 " +
  "徑径 揭掲 繼継 莖茎 擊撃 缺欠 硏研 儉倹 險険 圈圏 檢検 權権 獻献 驗験 效効 恆恒 鑛鉱 碎砕 濟済 " +
  "劑剤 册冊 慘惨 棧桟 贊賛 辭辞 舍舎 釋釈 澁渋 獸獣 縱縦 肅粛 緖緒 敍叙 奬奨 稱称 涉渉 證証 乘乗 " +
  "剩剰 壤壌 穰穣 釀醸 囑嘱 愼慎 盡尽 粹粋 隨随 髓髄 樞枢 攝摂 竊窃 專専 潛潜 踐践 搜捜 插挿 爭争 " +
  "聰聡 增増 臟臓 卽即 屬属 墮堕 對対 滯滞 擇択 擔担 膽胆 斷断 癡痴 遲遅 鑄鋳 廳庁 徵徴 敕勅 遞逓 " +
  "黨党 盜盗 鬪闘 惱悩 腦脳 霸覇 廢廃 拜拝 拔抜 蠻蛮 甁瓶 竝並 辨弁 瓣弁 辯弁 舖舗 沒没 飜翻 默黙 " +
  "譯訳 與与 豫予 譽誉 樣様 謠謡 賴頼 亂乱 覽覧 兩両 獵猟 綠緑 淚涙 壘塁 隸隷 樓楼 郞郎 錄録";

export const kanjiVariants: ReadonlyMap<string, string> = new Map(
  pairs.split(" ").map((pair) => {
    const [variant = "", usual = ""] = pair;
    return [variant, usual];
  }),
);

/** Highlight tags inside the engine; no normalised text can contain them. */
export const highlightOpen = "\uE000";
export const highlightClose = "\uE001";

/** A text without the characters that mark highlights. */
export function withoutMarks(text: string): string {
  return text.replaceAll(highlightOpen, "").replaceAll(highlightClose, "");
}

const variant = new RegExp(`[${[...kanjiVariants.keys()].join("")}]`, "gu");
/**
 * Soft hyphens, zero-width and bidirectional controls, and selectors of a character's shape (葛󠄀, ❤️): invisible,
 * but they would split a word or keep it from its other form.
 */
const invisible =
  /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uE000\uE001]|\p{Variation_Selector}/gu;
const control = /\p{Cc}+/gu;
/** Signs of trade marks and copyrights part two words, and belong to none. */
const signInside = /[™®©℠](?=[0-9A-Za-z\u00C0-\u024F\u3041-\u30FF\u3400-\u9FFF])/g;
const sign = /[™®©℠]/g;
/** Without it, 3½ would become 31/2. */
const beforeFraction = /(?<=[0-9])(?=[\u00BC-\u00BE\u2150-\u215E])/g;
/** The kanji for one, where katakana stand on both sides; ヶ is none of them: 一ヶ月. */
const oneAsLongVowel =
  /(?<=[\u30A1-\u30F4\u30F7-\u30FA\u30FC])一(?=[\u30A1-\u30F4\u30F7-\u30FA\u30FC])/g;
/** What is typed for a long vowel: dashes and lines of all kinds directly after kana. */
const longVowel =
  /(?<=[\u3041-\u3096\u30A1-\u30FA\u30FC\uFF66-\uFF9F])[\u2010-\u2015\u2212\u2500\u2501\uFF0D]/g;
/** Quotes, hyphens and fraction signs that have an ASCII form. Phones type “” and ’ by themselves. */
const typographic = /[‘’ʼ“”„‐‑−⁄]/g;
const ascii: Record<string, string> = {
  "‘": "'",
  "’": "'",
  ʼ: "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "‐": "-",
  "‑": "-",
  "−": "-",
  "⁄": "/",
};
/** One counter or name in all its spellings: 1か月, 1カ月, 1ヵ月 and 1ケ月 are 1ヶ月, 霞ケ関 is 霞ヶ関. */
const smallKe =
  /(?<=[0-9\u4E00-\u9FFF々])[ヵケ](?=[\u4E00-\u9FFF])|(?<=[0-9一二三四五六七八九十百数])[かカ](?=[\u4E00-\u9FFF])/g;
/** 50x75 and 15mmx10m are typed for 50×75 and 15mm×10m. */
const times = /(?<=[0-9](?:[mc]?m)?)[xX](?=[0-9])/g;

/**
 * The normal form of a text for the search engine: compatibility forms (half- and full-width, circled,
 * squared), characters that look like ー, typographic signs, and kanji variants are folded. Texts and queries both
 * pass through here, so ﾊﾞｯｸﾞ finds バッグ and 髙橋 finds 高橋. Total and idempotent; case and kana are left to the
 * engine.
 */
export function normalise(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(invisible, "")
      .replaceAll(control, " ")
      .replaceAll(signInside, " ")
      .replaceAll(sign, "")
      .replaceAll(beforeFraction, " ")
      .replaceAll(longVowel, "ー")
      .normalize("NFKC")
      // Kana that only this form shows: ㋐.
      .replaceAll(longVowel, "ー")
      .replaceAll(variant, (kanji) => kanjiVariants.get(kanji) ?? kanji)
      .replaceAll(typographic, (char) => ascii[char] ?? char)
      .replaceAll(smallKe, "ヶ")
      .replaceAll(oneAsLongVowel, "ー")
      .replaceAll(times, "×")
      .trim()
  );
}

/** Cut to so many UTF-16 units, or one less where the cut would split a surrogate pair. */
export function capped(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

const run = /[\p{Script=Latin}\p{N}]+(?:[.,]\p{N}+)*/gu;
/** A part of a number that is written in several: W 712/95, 06A 906 265. */
const codePart = /^(?:(?!X$)[A-Z]{1,2}|(?=[A-Za-z]*\d)[A-Za-z\d]{1,8})$/;
const mostParts = 6;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
/** 1,5 is one number, 38,39,40 are three. */
const piece = /(?<!,)[0-9]+,[0-9]{1,2}(?![0-9,.])|\p{N}+(?:\.\p{N}+)*|\p{Script=Latin}+/gu;

/**
 * Latin words and numbers that the engine's Japanese segmentation does not find inside other text: 100
 * in ウール100%, 15 in iPhone15用, 24cm in サイズ24cm. For normalised text.
 */
export function buriedWords(text: string, limit: number): string[] {
  const words = new Set<string>();
  for (const match of text.matchAll(run)) {
    const [word] = match;
    const touchesJapanese =
      cjk.test(text.charAt(match.index - 1)) || cjk.test(text.charAt(match.index + word.length));
    const pieces = word.match(piece) ?? [];
    if (touchesJapanese) words.add(word);
    if (pieces.length > 1) {
      for (const part of pieces) if (part.length > 1 || /\p{N}/u.test(part)) words.add(part);
    }
    if (words.size >= limit) break;
  }
  return [...words].filter((word) => word.length <= 32).slice(0, limit);
}

/** Part numbers that the text has in several parts, as they are typed in one: W71295 for W 712/95. For normalised text. */
export function joinedCodes(text: string, limit: number): string[] {
  const parts = [...text.matchAll(/[A-Za-z\d]+/g)].map(({ 0: part, index }) => {
    return { part, isCode: codePart.test(part), index, end: index + part.length };
  });
  const codes = new Set<string>();
  for (const from of parts.keys()) {
    let code = "";
    for (const [i, { part, isCode, index }] of parts.slice(from, from + mostParts).entries()) {
      const before = parts[from + i - 1]?.end ?? index;
      if (!isCode || (i > 0 && !/^[ ./-]$/.test(text.slice(before, index)))) break;
      code += part;
      const digits = code.replaceAll(/\D/g, "").length;
      if (i > 0 && digits > 3 && code.length > 4 && code.length < 21) codes.add(code);
    }
    if (codes.size >= limit) break;
  }
  return [...codes].slice(0, limit);
}
