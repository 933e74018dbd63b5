/**
 * Old and variant forms of kanji, each followed by the form that replaces it in texts and queries. Only
 * pairs that shoppers take for one character; no replacement is itself replaced.
 */
const pairs =
  "髙高 﨑崎 嵜崎 齋斎 齊斉 邊辺 邉辺 濵浜 濱浜 澤沢 廣広 國国 嶋島 嶌島 櫻桜 惠恵 德徳 栁柳 桒桑 冨富 𠮷吉 眞真 " +
  "靑青 淸清 黑黒 瀨瀬 瀧滝 曾曽 壽寿 實実 寶宝 圓円 榮栄 縣県 學学 鐵鉄 藝芸 繪絵 繩縄 續続 絲糸 豐豊 醫医 錢銭 " +
  "關関 靈霊 顏顔 飮飲 驛駅 髮髪 鷄鶏 麥麦 麵麺 麪麺 點点 齒歯 龜亀 爲為 狀状 獨独 疊畳 發発 稻稲 穗穂 篭籠 蘆芦 " +
  "藥薬 蟲虫 螢蛍 裝装 觸触 讀読 變変 轉転 遙遥 鎭鎮 雜雑 雙双 靜静 頰頬 體体 鹽塩 黃黄 燒焼 燈灯 爐炉 畫画 當当 " +
  "禮礼 總総 聲声 臺台 舊旧 莊荘 萬万 藏蔵 處処 號号 衞衛 覺覚 觀観 讓譲 賣売 輕軽 醉酔 隱隠 餘余 騷騒 齡齢 佛仏 " +
  "來来 假仮 傳伝 價価 兒児 凉涼 劍剣 勞労 區区 卷巻 參参 單単 嚴厳 團団 圖図 壞壊 壯壮 奧奥 姬姫 孃嬢 寢寝 寫写 " +
  "將将 屆届 峽峡 峯峰 嶽岳 巖巌 帶帯 彌弥 彈弾 從従 應応 懷懐 戀恋 戰戦 戲戯 拂払 搖揺 收収 數数 晝昼 晉晋 條条 " +
  "橫横 桧檜 歐欧 步歩 歷歴 歸帰 殘残 每毎 氣気 淨浄 淺浅 溪渓 滿満 濕湿 灣湾 祕秘 禪禅 窗窓 經経 纖繊 罐缶 聽聴 " +
  "蠶蚕 裡裏 繡繍 剝剥 搔掻 摑掴 塡填 鷗鴎 蟬蝉 醬醤 蠟蝋 頸頚 萊莱 瘦痩 嚙噛 囊嚢 屛屏 幷并 槇槙";

export const kanjiVariants: ReadonlyMap<string, string> = new Map(
  pairs.split(" ").map((pair) => {
    const [variant = "", usual = ""] = pair;
    return [variant, usual];
  }),
);
