/** What a content is measured in: mass in g, volume in ml, everything else by the piece. */
export type ContentUnit = "g" | "ml" | "piece";

/** How much a package holds, all its parts together. */
export interface Content {
  value: number;
  unit: ContentUnit;
}

interface Unit {
  /** Spellings that searches hold to be the same, as typed; the first represents them. */
  spellings: string;
  /** Further spellings that are read as contents only. */
  alsoRead?: string;
  /** What one of it is as a content; absent: no content, such as a length. */
  content?: readonly [amount: number, unit: ContentUnit];
}

/** Every unit of measure that searches and unit prices know. */
export const unitTable: readonly Unit[] = [
  { spellings: "in inch inches zoll インチ" },
  { spellings: "ft foot feet" },
  { spellings: "lb lbs pound pounds" },
  { spellings: "oz ounce ounces" },
  { spellings: "gal gallon gallons" },
  { spellings: "yd yard yards" },
  { spellings: "qt quart quarts" },
  {
    spellings: "ml milliliter mililiter cc ミリリットル",
    alsoRead: "millilitre millilitres milliliters",
    content: [1, "ml"],
  },
  { spellings: "l liter litre liters litres lt リットル", content: [1000, "ml"] },
  { spellings: "cl", content: [10, "ml"] },
  { spellings: "dl", content: [100, "ml"] },
  { spellings: "g gr gram grams gramm グラム", alsoRead: "gramme grammes", content: [1, "g"] },
  { spellings: "kg kilo kilogramm キログラム キロ", alsoRead: "kilos", content: [1000, "g"] },
  { spellings: "mg" },
  { spellings: "mm millimeter ミリ" },
  { spellings: "cm centimeter センチ センチメートル" },
  { spellings: "m meter metre メートル" },
  { spellings: "w watt watts ワット" },
  { spellings: "v volt volts ボルト" },
  { spellings: "a amp amps ampere アンペア" },
  { spellings: "ga gauge" },
  { spellings: "gb ギガ" },
  { spellings: "tb テラ" },
  { spellings: "mah" },
  { spellings: "hz" },
  { spellings: "rpm" },
  { spellings: "btu" },
  { spellings: "hp horsepower" },
  {
    spellings:
      "個 コ ヶ ケ 個入 個入り 個セット pack packs pk pcs pc piece pieces stk stuck count ct",
    alsoRead:
      "st stück stücke stueck pièce pièces packung packungen flasche flaschen dose dosen becher bottles cans bags schalen tuben riegel tüten teebeutel sachets portionen pads tabs pods scheiben kugeln beutel btl tabletten kapseln tablets capsules rollen rolls 袋 缶 錠 粒 ロール パック 食 包 カプセル",
    content: [1, "piece"],
  },
  { spellings: "枚 枚入 枚入り 枚組 sheets sheet", content: [1, "piece"] },
  { spellings: "本 本入 本入り 本セット", content: [1, "piece"] },
];
