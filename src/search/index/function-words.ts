import { fold } from "./fold.ts";

/**
 * Words that say nothing about a product and are typed as in a question, in the form of `fold`. They
 * weigh little, and no product is left out for lacking one.
 */
const functionWords = new Set(
  `a an the for with without of on to and or from by at as is are be it my our your me i we you that this
  how what where which who when can could do does need needs want wants buy find get looking look use used
  some any best good cheap near sale shop store online please would like
  price review reviews deal deals acheter prix comprar barato precio
  der die das den dem des ein eine einen einem einer und oder mit ohne fur von zu zum zur im am auf aus bei
  ich wir mein meine wo wie was suche suchen brauche kaufen finde finden gunstig bitte
  bestellen angebot angebote preis preisvergleich versandkostenfrei
  欲しい ほしい 探し 探して 探す 買いたい 買う 購入 おすすめ オススメ 人気 かわいい 可愛い 安い 激安 格安 送料無料 通販 最安値 値段 価格 比較
  プレゼント ギフト 誕生日 誕生 女性 男性 大人 子供 どこ ください 下さい ありますか 新品 最新`
    .split(/\s+/)
    .map(fold),
);

/** The weight of such a word, compared with another word of its rarity. */
export const functionWordShare = 0.1;

export function isFunctionWord(folded: string): boolean {
  return functionWords.has(folded);
}
