import { plural, type Text, type Texts } from "./in-language.ts";

const colours: Readonly<Record<string, Text>> = {
  black: ["黒", "black"],
  white: ["白", "white"],
  grey: ["グレー", "grey"],
  silver: ["シルバー", "silver"],
  gold: ["ゴールド", "gold"],
  red: ["赤", "red"],
  blue: ["青", "blue"],
  navy: ["紺", "navy"],
  green: ["緑", "green"],
  yellow: ["黄", "yellow"],
  orange: ["オレンジ", "orange"],
  pink: ["ピンク", "pink"],
  purple: ["紫", "purple"],
  brown: ["茶", "brown"],
  beige: ["ベージュ", "beige"],
  cream: ["クリーム", "cream"],
  turquoise: ["ターコイズ", "turquoise"],
  clear: ["透明", "clear"],
};
export const product = {
  noPrice: ["価格はショップで確認", "See the shop for the price"],
  regularPrice: ["通常価格", "Regular price"],
  percentOff: (percent: number) => [`${percent}% OFF`, `${percent}% off`],
  unitPrice: (price: string, unit: string) => [`${unit}あたり ${price}`, `${price} for ${unit}`],
  units: {
    "100 g": ["100g", "100 g"],
    "1 kg": ["1kg", "1 kg"],
    "100 ml": ["100ml", "100 ml"],
    "1 l": ["1L", "1 l"],
    "1 piece": ["1個", "1 piece"],
  },
  reductionHolds: (low: string) => [
    `直前30日間の最安値 ${low} を下回っています。`,
    `Below the lowest price of the 30 days before, ${low}.`,
  ],
  reductionFails: (regular: string, low: string) => [
    `ショップは ${regular} と比較していますが、直前30日間に ${low} で販売されていました。`,
    `The shop compares with ${regular}, but it cost ${low} in the 30 days before.`,
  ],
  reductionUnknown: (regular: string) => [
    `ショップは ${regular} と比較しています。以前の価格は十分に確認できていません。`,
    `The shop compares with ${regular}. What it cost before is not known well enough.`,
  ],
  outOfStock: ["在庫なし", "Out of stock"],
  inStock: ["在庫あり", "In stock"],
  itemsLeft: (n: number) => [`在庫 ${n}点`, `${n} in stock`],
  lastItems: (n: number) => [`残り ${n}点`, `Only ${n} left`],
  checked: (age: string) => [`${age}に確認`, `checked ${age}`],
  untitled: ["（名前のない商品）", "(product without a name)"],
  offersOf: (shops: number, offers: number) => [
    `${shops}ショップ・${offers}件の出品`,
    `${plural(shops, "shop")}, ${plural(offers, "offer")}`,
  ],
  offersFrom: (offers: number, price: string) => [
    `${offers}件の出品・${price}から`,
    `${plural(offers, "offer")} from ${price}`,
  ],
  elsewhereFrom: (shops: number, price: string) => [
    `ほか${shops}ショップで${price}から`,
    `from ${price} in ${shops === 1 ? "another shop" : `${shops} other shops`}`,
  ],
  lowestOf: (shops: number) => [`${shops}ショップで最安`, `lowest of ${shops} shops`],
  usedFrom: (price: string) => [`中古など ${price}から`, `used from ${price}`],
  toShop: ["ショップで見る", "Visit the shop"],
  buy: ["ショップで購入", "Buy at the shop"],
  see: ["ショップの商品ページを見る", "See it at the shop"],
  shop: ["ショップ", "Shop"],
  moreOfShop: ["このショップの商品", "More from this shop"],
  categories: ["カテゴリー", "Category"],
  identifier: ["品番", "Item number"],
  gtins: ["JANコード", "JAN code"],
  content: ["内容量", "Content"],
  measure: ["仕様", "Measure"],
  model: ["型番", "Model"],
  colour: ["色", "Colour"],
  colours,
  size: ["サイズ", "Size"],
  condition: ["状態", "Condition"],
  edition: ["版", "Edition"],
  conditions: {
    used: ["中古", "used"],
    refurbished: ["整備済み", "refurbished"],
    opened: ["開封済み", "opened"],
    graded: ["鑑定済み", "graded"],
    state: ["状態", "state"],
  },
  firstSeen: ["初回確認", "First seen"],
  priceSince: ["価格の変更日", "At this price since"],
  gallery: ["商品の写真", "Pictures"],
  photo: (n: number, of: number) => [`写真 ${n} / ${of}`, `Picture ${n} of ${of}`],
  noPhoto: ["写真はありません", "No picture"],
  detail: ["商品の説明", "Description"],
  noDetail: ["説明はありません。", "There is no description."],
  fullTitle: ["商品名（全文）", "Full name"],
  variations: ["種類", "Variations"],
  variation: ["種類", "Variation"],
  barcode: ["JANコード", "JAN code"],
  history: ["価格と在庫の推移", "Price and stock over time"],
  historyNote: [
    "確認できた期間だけを線で示しています。線の途切れは、その間の値が分からないことを表します。",
    "Lines show only confirmed values. A gap means that nothing is known about that time.",
  ],
  noHistory: ["価格の記録はまだありません。", "No prices have been recorded yet."],
  chartTitle: (title: string) => [
    `${title}の価格と在庫の推移`,
    `Price and stock of ${title} over time`,
  ],
  chartDesc: (text: {
    intervals: number;
    prices: { low: string; high: string } | null;
    from: string;
    to: string;
  }) => [
    `${text.from}から${text.to}まで、${text.intervals}件の確認期間。${
      text.prices ? `価格は${text.prices.low}から${text.prices.high}。` : "価格の表示はありません。"
    }`,
    `From ${text.from} to ${text.to}, ${plural(text.intervals, "confirmed interval")}. ${
      text.prices
        ? `Prices between ${text.prices.low} and ${text.prices.high}.`
        : "No price stated."
    }`,
  ],
  asTable: ["表で見る", "As a table"],
  from: ["開始", "From"],
  until: ["最終確認", "Last confirmed"],
  price: ["価格", "Price"],
  stock: ["在庫", "Stock"],
  lows: ["最安値", "Lowest price"],
  marketLows: ["全ショップの最安値", "Lowest of all shops"],
  marketNote: [
    "点線は全ショップの最安値です。",
    "The dotted line is the lowest price of all shops.",
  ],
  marketUnused: ["最安値に中古などは含みません。", "Lowest prices leave out what is used."],
  lowPeriods: {
    all: ["全期間", "Ever"],
    "1y": ["1年", "1 year"],
    "90d": ["90日", "90 days"],
    "30d": ["30日", "30 days"],
  },
  lowAt: (day: string) => [`${day}から`, `since ${day}`],
  observations: (n: string) => [`${n}回の確認による`, `from ${plural(n, "check")}`],
  noLow: ["記録なし", "none recorded"],
  offers: ["ほかのショップと比べる", "Compare with other shops"],
  offersMatched: (gtins: string) => [
    `JANコード ${gtins} が同じ商品です。`,
    `The same product by JAN code ${gtins}.`,
  ],
  offersGrouped: [
    "JANコード、またはショップの商品情報から同じ商品と判断しています。JANコードによらない出品には、理由を添えています。",
    "The same product, by JAN code or by the shops' texts; where no JAN code says so, the reason stands with the offer.",
  ],
  matchKinds: {
    gtin: ["JANコードが同じ", "same JAN code"],
    model: ["型番が同じ", "same model number"],
    text: ["商品情報が同じ", "same text"],
    manual: ["人が確認済み", "checked by hand"],
  },
  offersUnmatched: [
    "この商品には有効なJANコードがなく、ほかのショップの同じ商品は見つかっていません。",
    "This product has no valid JAN code, and no product of another shop is known to be the same.",
  ],
  orders: {
    price: ["価格順", "Price"],
    unit_price: ["単価順", "Price of a unit"],
    checked: ["確認が新しい順", "Last checked"],
  },
  ordersLabel: ["出品の並び順", "Order of the offers"],
  offersAlone: [
    "ほかのショップでは見つかっていません。",
    "No other shop is known to sell this product.",
  ],
  similar: ["似ている商品", "Similar products"],
  similarNote: [
    "この商品に似ていますが、違う商品かもしれません。",
    "They resemble this product, but may differ from it.",
  ],
  product: ["商品", "Product"],
  offersLeftOut: (n: number) => [
    `販売終了または価格不明の出品 ${n}件は表示していません。`,
    `${plural(n, "offer")} not shown: no longer sold, or without a price.`,
  ],
  firstOnly: (n: number) => [
    `最初の${n}件だけを表示しています。`,
    `Only the first ${n} are shown.`,
  ],
  thisOne: ["このページ", "this page"],
  cheapest: ["最安", "lowest"],
  checkNow: ["いま確認する", "Check now"],
  checking: ["確認しています…", "Checking…"],
  checkNote: [
    "ショップの最新の価格と在庫を取りに行きます。1日の回数に限りがあります。",
    "Fetches the present price and stock from the shop. There is a daily limit.",
  ],
  outcomes: {
    fresh: ["たったいま確認しました。表示は最新です。", "Checked just now: this is up to date."],
    queued: [
      "確認を受け付けました。まもなく更新されます。",
      "Your check is queued; the page will be up to date in a moment.",
    ],
    on_demand_quota_spent: [
      "本日分の確認回数を使い切りました。日付が変わると、また確認できます。",
      "Today's checks are used up. New ones come when the date changes.",
    ],
    refresh_share_spent: [
      "お使いの接続元に割り当てられた本日分の確認回数を使い切りました。日付が変わると、また確認できます。",
      "Your share of today's checks is used up. New ones come when the date changes.",
    ],
    crawl_held: [
      "いまは確認を休止しています。表示は最後に確認した時点のものです。",
      "Checks are paused for now. This is what was last confirmed.",
    ],
    refresh_unanswered: [
      "確認しましたが、この商品についての使える答えが得られませんでした。",
      "The check gave no usable answer about this product.",
    ],
  },
  deletedTitle: ["この商品は販売を終了しました", "This product is no longer sold"],
  deletedText: (day: string) => [
    `${day}に、ショップから削除されたことを確認しました。下は最後に確認できた内容です。`,
    `The shop had deleted it at our check on ${day}. Below is what was last confirmed.`,
  ],
  missing: [
    "この商品は最近の検索で見つかっていません。販売を終了した可能性があり、確認中です。",
    "Recent searches did not find this product. It may no longer be sold; this is being checked.",
  ],
} satisfies Texts;
