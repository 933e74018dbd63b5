import { fold } from "./fold.ts";
import { hasPositiveWords, readableQuery } from "./words.ts";

/**
 * Words that say nothing about a product and are typed as in a question, in the form of `fold`. They
 * weigh little, and no product is left out for lacking one.
 */
const functionWords = new Set(
  `a an the for with without of on to and or from by at as is are be it my our your me i we you that this
  how what where which who when can could do does need needs want wants buy find get looking look use used
  some any best good cheap near sale shop store online please would like
  price review reviews deal deals under cheapest affordable
  le la les un une du de et ou pour avec sans en au aux sur pas cher acheter prix meilleur
  el los las una del para con sin por comprar barato barata baratos precio mejor
  il lo gli di della per da migliore prezzo offerta het een voor met van goedkoop kopen
  der die das den dem des ein eine einen einem einer und oder mit ohne fur von zu zum zur im am auf aus bei
  ich wir mein meine wo wie was suche suchen brauche kaufen finde finden gunstig gunstige billig beste bester bitte
  bestellen angebot angebote preis preisvergleich versandkostenfrei
  欲しい ほしい 探し 探して 探す 買いたい 買う 購入 おすすめ オススメ 人気 かわいい 可愛い 安い 激安 格安 送料無料 通販 最安値 値段 価格 比較
  プレゼント ギフト 誕生日 誕生 女性 男性 大人 子供 どこ ください 下さい ありますか 新品 最新
  向け 向き おしゃれ オシャレ お洒落 予算 ランキング 売れ筋 お得 特価 セール 即納 即日発送 口コミ`
    .split(/\s+/)
    .map(fold),
);

/** What sellers say of any product. Where no product has it among the other words, it is left out; titles have it as a name, too: New Balance. */
const promises = new Set(
  `original genuine authentic official new test testsieger neu neue neuer neues gratis versand neuf neuve promo nuevo nueva nuovo nuova
  正規品 国内正規品 公式 未使用 未開封 在庫あり ポイント 送料込 送料込み 新作 本物 お買い得 あす楽 翌日配送`
    .split(/\s+/)
    .map(fold),
);
const ofSellers =
  /(?<![\p{L}-])(?:brand[ -]new|free (?:shipping|delivery)|livraison gratuite|env[ií]o gratis)(?!\p{L})/giu;

/** The weight of such a word, compared with another word of its rarity. */
export const functionWordShare = 0.1;

export function isFunctionWord(folded: string): boolean {
  return functionWords.has(folded);
}

const number = String.raw`\d[\d.,]*`;
const sign = "[¥$€£]";
const currency = `(?:${sign}|(?:yen|euros?|eur|dollars?|bucks|usd)(?![a-z])|[千万]?円)`;
const amount = String.raw`(?:${sign} ?${number}|${number} ?(?:${currency}|[千万](?=以))|\d[\d.]*,-+(?: ?${currency})?|[千万]円)`;
/** Between two amounts, of which the first may be a number alone: $10-$20, 5 bis 10 Euro, 1000〜2000円. */
const lower = `(?:${sign}? ?${number} ?${currency}? ?(?:[-–~〜]|to|and|bis|und|à|から) ?)?`;
const cheaper =
  "under|below|less than|cheaper than|unter|weniger als|günstiger als|moins de|menos de";
const bounds =
  `${cheaper}|over|above|more than|up to|at most|max(?:imum|imal)?|around|about|between|from|` +
  "über|mehr als|bis(?: zu)?|ab|höchstens|zwischen|von|etwa|rund|um(?: die)?|ca\\.?|circa|plus de|jusqu'à|environ|entre|más de|hasta";
/** How much something may cost: 1000円以下, under $50, zwischen 5 und 10 Euro, and under 50 as the last words. */
const price = new RegExp(
  String.raw`(?<![\p{L}\d_.,]|(?<!\S)-)(?:(?:(?:${bounds}) |[~〜] ?){0,2}${lower}${amount}` +
    `(?:以[下内上]|未満|まで|前後|程度|[くぐ]らい|台|代)?の?|(?:${cheaper}) ${number}$)`,
  "giu",
);
const inQuotes = /((?:(?<!\S)-)?"[^"]*"?)/;
const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
/** The segments of the longest of these words. */
const mostSegments = 4;

/** What says something about a product: `nagellack` of `nagellack günstig`. null: all or nothing of it does. */
export function withoutFunctionWords(q: string): string | null {
  const typed = readableQuery(q);
  const chunks = typed
    .split(inQuotes)
    .flatMap((text) =>
      /^-?"/.test(text)
        ? [text]
        : text.replaceAll(price, " ").replaceAll(ofSellers, " ").split(/\s+/).map(withoutOwn),
    );
  const naming = chunks.filter((chunk) => !/^-?$/.test(chunk)).join(" ");
  return naming !== typed.replaceAll(/\s+/g, " ") && hasPositiveWords(naming) ? naming : null;
}

const saysNothing = (folded: string) => isFunctionWord(folded) || promises.has(folded);

/** The chunk without its function words and the particles behind them: 日本酒 of おすすめの日本酒; and 米 of お米. */
function withoutOwn(chunk: string): string {
  if (saysNothing(fold(chunk))) return "";
  if (chunk.startsWith("-") || !/[ぁ-ヺ一-鿿]/.test(chunk)) return chunk;
  const plain = chunk.replace(/^[お御](?=[一-鿿])/, "");
  const segments = [...segmenter.segment(plain)].map(({ segment }) => segment);
  const kept: string[] = [];
  for (let at = 0; at < segments.length;) {
    let to = Math.min(segments.length, at + mostSegments);
    while (to > at && !saysNothing(fold(segments.slice(at, to).join("")))) to -= 1;
    if (to === at) {
      kept.push(segments[at++] ?? "");
      continue;
    }
    if (/^[がをはで]$/.test(kept.at(-1) ?? "")) kept.pop();
    at = /^[のなにをはがで]$/.test(segments[to] ?? "") ? to + 1 : to;
  }
  return kept.join("");
}
