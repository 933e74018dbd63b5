import type { Content } from "./units.ts";

/** Goods whose litres and grams say what they can hold, how heavy or how thick they are. */
const measuredGoods = [
  "リュック|バッグ|水筒|タンブラー|マグ|ケトル|ポット|冷蔵|冷凍庫|炊飯|鍋|釜|弁当|容器|バケツ|ゴミ袋|ごみ袋|ポリ袋|ビニール袋|圧縮袋|クーラー|タンク|グラス|コップ|計量|紙カップ|プラカップ|哺乳|急須|徳利|やかん|ジャー|ボウル|ピッチャー|シェイカー|シェーカー|タッパー|保存瓶|空瓶|空ボトル|スプレーボトル|ステンレスボトル|魔法瓶|保温|ディスペンサー|コンテナ|収納|ストッカー|ボックス|バスケット|プランター|植木鉢",
  "加湿|除湿|洗濯機|ミキサー|オーブン|トースター|レンジ|フライヤー|スーツケース|キャリー|バッテリー|カメラ|ノートパソコン|自転車|テント|シュラフ|布団|ふとん|生地|目付|オンス|シューズ|ヘルメット|ラケット|バット|ゴルフ|包丁|傘|ダンベル|バーベル|ウエイト|重り|重さ|重量|軽量|耐荷重|体重|釣|竿|ルアー|ネックレス|リング|ピアス",
  String.raw`(?:müll|abfall|gefrier|kosmetik|folien)(?:beutel|säcke|sack)|rucksack|eimer|kübel|wanne|(?:koch|blumen|schmor)topf|kasserolle|bräter|(?:brat|grill|back)pfanne|(?:trink|isolier|baby|lern)fl|silikonfl|nuk\b|sodastream|thermo|aufbewahrung|frischhalte|tiefkühldose|vorratsdose|klappbox|koffer|messbecher|dosier|(?:einweg|papp|papier|plastik|trink|kaffee|trinklern)becher|bepulp|suppenschale|(?:trink|wein|drink|bier|sekt|schnaps|wasser)gl[aä]s|wasserkocher|kühlschrank|hantel|kanister|gießkanne`,
  String.raw`backpack|bucket|kettle|dumbbell|tumbler|\bmugs?\b|tote bag|trash bag|water bottle|\bcooler|blender|fryer|refrigerator|fridge|suitcase|capacity|kapazität`,
  // In Germany `3l` of paper is its layers.
  "servietten|toilettenpapier|wc-papier|topa\\b|tatü|tuch\\b|tücher|küchenrolle",
  // How many are together is not told in figures.
  String.raw`(?:doppel|duo|twin|vierer|dreier|sechser) ?-?packs?\b`,
];
/** Offers of several sizes under one price. */
const severalSizes = /選べる|お好きな|よりどり|から選|定期便|詰め放題|内容量違い|\boder\b/i;
const measured = new RegExp(measuredGoods.join("|"), "i");
/** What is counted is a part of one thing. */
const partsOfOne = /lichterkette|イルミネーション/i;
const nutrient = /糖質|塩分|食物繊維|たんぱく質|タンパク質/;

/** Whether the goods' own words make a reading doubtful. `text`: the title. */
export function isNoContent(text: string, { value, unit }: Content): boolean {
  if (severalSizes.test(text)) return true;
  if (unit === "piece") return partsOfOne.test(text);
  // `High Protein 20 g` is what the package has of it.
  const isNutrient = nutrient.test(text) || (value < 60 && /protein|プロテイン/i.test(text));
  return measured.test(text) || (unit === "g" && isNutrient);
}
