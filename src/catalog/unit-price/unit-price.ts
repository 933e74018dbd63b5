import { termsOf, type Term } from "./content-terms.ts";
import type { Content, ContentUnit } from "./units.ts";

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
function isNoContent(text: string, { value, unit }: Content): boolean {
  if (severalSizes.test(text)) return true;
  if (unit === "piece") return partsOfOne.test(text);
  // `High Protein 20 g` is what the package has of it.
  const isNutrient = nutrient.test(text) || (value < 60 && /protein|プロテイン/i.test(text));
  return measured.test(text) || (unit === "g" && isNutrient);
}

export interface UnitPrice {
  /** For one `per`, rounded to 2 decimals; more than 0. */
  amount: number;
  per: "100 g" | "1 kg" | "100 ml" | "1 l" | "1 piece";
  quantity: Content;
}

interface Priced {
  title: string;
  price: number;
  variations: readonly { variation: string }[];
}

/**
 * The price of a unit, by what title and variations say that the package holds. Null rather than wrong:
 * if they say nothing, or if it can be read in two ways, or if variations hold different amounts. Up to
 * 250 g (ml) it is for 100 g (ml), as on shelves; above, for 1 kg (l).
 */
export function toUnitPrice(product: Priced): UnitPrice | null {
  const quantity = readContent(product.title, product.variations);
  if (quantity === null) return null;
  const { value, unit } = quantity;
  const amountOf = (size: number, per: UnitPrice["per"]) => {
    const amount = Math.round((product.price / value) * size * 100) / 100;
    return amount > 0 && Number.isFinite(amount) ? { amount, per, quantity } : null;
  };
  if (unit === "piece") return amountOf(1, "1 piece");
  if (value <= 250) return amountOf(100, unit === "g" ? "100 g" : "100 ml");
  return amountOf(1000, unit === "g" ? "1 kg" : "1 l");
}

/** The price of 100 g, 100 ml or 1 piece, by which search results are ordered; null: no unit price. */
export function toUnitPriceRank(product: Priced): number | null {
  const read = toUnitPrice(product);
  return read && rankOf(product.price, read.quantity);
}

/** `toUnitPriceRank` of a product of this price and content. */
export function rankOf(price: number, { value, unit }: Content): number {
  return Math.round((price / value) * (unit === "piece" ? 1 : 100) * 10_000) / 10_000;
}

export function readContent(title: string, variations: Priced["variations"]): Content | null {
  const chars = variations.reduce((sum, { variation }) => sum + variation.length, title.length);
  if (chars > maxChars) return null;
  const own = read(title);
  if (own === "doubtful") return null;
  const others = new Set(variations.map(({ variation }) => JSON.stringify(read(variation))));
  const [other, ...more] = [...others].map((json): Reading => JSON.parse(json));
  if (more.length > 0 || other === "doubtful") return null;
  if (!own || !other) return own ?? other ?? null;
  return isSame(own, other) ? own : null;
}

/** null: nothing about it. */
type Reading = Content | "doubtful" | null;

/** The most characters of title and variations together: no person reads more, and no text keeps a process busy. */
const maxChars = 5000;

const diapers = /windel|pants|pampers|diaper|napp(?:y|ies)|おむつ|オムツ|パンツ/i;
/** The weight of the child: `Gr. 3 (6-10 kg)`. */
const bodyWeight = /\(?\b\d{1,2} ?[-–~〜～] ?\d{1,2} ?kg\b\)?/gi;

/** Two goods of one size: `Shampoo 500 ml & Conditioner 500 ml`. */
const severalGoods = /[&+]|(?<!\d ?)セット|\bset\b/i;

function read(text: string): Reading {
  const spaced = text.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
  const plain = diapers.test(spaced) ? spaced.replaceAll(bodyWeight, "") : spaced;
  const products = toProducts(termsOf(plain));
  if (products.length === 0) return null;
  const known = products.filter((product) => product !== null);
  if (known.length < products.length) return "doubtful";
  const isAlone = ({ unit, counts }: Product) => unit !== "piece" && counts.length === 0;
  if (known.filter(isAlone).length > 1 && severalGoods.test(plain)) return "doubtful";
  const content = agreed(known) ?? "doubtful";
  if (content === "doubtful") return content;
  return isNoContent(plain, content) ? "doubtful" : content;
}

/** Terms multiplied: `6x500ml` is 3000 ml, six times 500. */
interface Product {
  unit: ContentUnit;
  total: number;
  /** One of a measure; 1 of a count. */
  each: number;
  counts: number[];
  /** It counts nothing but bags, cases and the like. */
  isVessel: boolean;
}

/** What terms joined by × say; null: doubtful. Those that say nothing of contents are left out. */
function toProducts(terms: readonly Term[]): (Product | null)[] {
  const products: (Product | null)[] = [];
  let joined: Term[] = [];
  for (const term of terms) {
    joined.push(term);
    if (term.isFactor) continue;
    const product = toProduct(joined);
    if (product !== undefined) products.push(product);
    joined = [];
  }
  return products;
}

function toProduct(terms: readonly Term[]): Product | null | undefined {
  const kinds = new Set(terms.map(({ kind }) => kind));
  if (kinds.has("doubtful")) return null;
  const isContent = kinds.has("g") || kinds.has("ml") || kinds.has("piece") || kinds.has("outer");
  if (!isContent) return undefined;
  const measures = terms.filter(({ kind }) => kind === "g" || kind === "ml");
  const counts = terms.filter((term) => !measures.includes(term)).map(({ value }) => value ?? 0);
  if (kinds.has("other") || measures.length > 1) return null;
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) return null;
  // Cases alone: of what?
  if (measures.length === 0 && !kinds.has("piece") && counts.some((count) => count > 1))
    return null;
  const [measure] = measures;
  const each = measure ? (measure.value ?? 0) : 1;
  const total = counts.reduce((product, count) => product * count, each);
  const unit = measure?.kind === "g" || measure?.kind === "ml" ? measure.kind : "piece";
  const isVessel = terms.every((term) => term.isVessel);
  return each > 0 && total <= 1_000_000
    ? { unit, total: rounded(total), each, counts, isVessel }
    : null;
}

/**
 * The content that all of them tell; null if they contradict one another. Measures must be of one kind.
 * `500 g, 6 Stück` contradicts: six of 500 g, or 500 g in six parts?
 */
function agreed(products: readonly Product[]): Content | null {
  const measures = products.filter(({ unit }) => unit !== "piece");
  const [main] = (measures.length > 0 ? measures : products).toSorted(
    (a, b) => b.counts.length - a.counts.length || b.total - a.total,
  );
  if (!main) return null;
  const partCount = main.counts.reduce((product, count) => product * count, 1);
  const agree = products.every((product) => {
    if (product.unit === main.unit && isSame(toContent(product), toContent(main))) return true;
    if (product.unit !== "piece") return product.unit === main.unit && product.total === main.each;
    if (product.total === 1) return product.isVessel;
    return main.unit !== "piece" && [partCount, ...main.counts].includes(product.total);
  });
  return agree && main.total > 0 ? toContent(main) : null;
}

function toContent({ unit, total }: Product): Content {
  return { value: total, unit };
}

function isSame(a: Content, b: Content): boolean {
  return a.unit === b.unit && Math.abs(a.value - b.value) <= 1e-9 * Math.max(a.value, b.value);
}

/** Without the last digits of binary fractions: 4 × 0.33 l is 1320 ml. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
