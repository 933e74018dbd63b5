import { fold } from "./fold.ts";

const latinParts = (
  "case cases cover covers sleeve shell strap protector film foil charger cable adapter mount holder replacement spare " +
  "hulle schutzhulle etui folie schutzfolie panzerglas ladegerat ladekabel kabel halterung akku ersatz ersatzakku " +
  "coque housse etuis chargeur batterie funda carcasa cargador custodia hoesje battery batteries"
).replaceAll(" ", "|");
const japaneseParts = fold(
  "ケース|カバー|フィルム|ストラップ|ホルダー|充電器|充電ケーブル|アダプタ|バッテリー|イヤーパッド|交換用|互換|専用",
);
const partsApart = fold("スタンド|替刃|替え刃|替芯|替え芯|収納袋");
/** What comes with a thing is not what it is: with charging case, mit Ladekabel, ケース付き. */
const included =
  /(?<![a-z])(?:with|mit|inkl|incl|including|avec|con|und|and|plus)(?![a-z]).*|[+&].*|\S{0,20}(?:付|つき|入り|いり)\S{0,20}/g;
const name = /[a-z0-9]{2}/;
const japaneseName = /[ぁ-ゖー一-鿿々]{2}/;
/** Behind a Japanese name it is a word of its own: 万年筆 ケース; 枕カバー is a name. */
const apart = new RegExp(` (?:${japaneseParts}|${partsApart})(?: |$)`);
const behindName = new RegExp(
  String.raw`(?<![a-z])(?:${latinParts})(?![a-z])|(?<!(?<![a-z0-9])[0-9]{1,3})(?:${japaneseParts})`,
);
const forName = new RegExp(
  String.raw`(?<![a-z])(?:${latinParts}) (?:for|fits|fur|pour|para|per|voor)(?![a-z])|(?<=[a-z]-?[0-9][a-z0-9]{0,9}) ?用`,
);

/** Words that most of these titles have, folded. */
export const partWords = [latinParts, japaneseParts, partsApart].flatMap((parts) =>
  parts.split("|"),
);

const part = new RegExp(`(?<![a-z])(?:${latinParts})(?![a-z])|${japaneseParts}|${partsApart}|用`);
/** Whether a query has a name and a number, as models have, and asks for none of its parts: ps5, a4 ノート. HDMI 2.1 and 50 ml are what things have. */
export function asksForThing(q: string): boolean {
  const named = fold(q).replaceAll(/\d+ ?(?:[mc]?[lm]|k?g)(?![a-z])/g, " ");
  const isModel = /\p{L}/u.test(named) && /(?<![\d.,])\d+(?![\d.,])/.test(named);
  return isModel && !part.test(named);
}

export const variants = "pro|max|plus|mini|ultra|lite|ti|super|fe|xl";
const variant = `(?:${variants.replace("|xl", "")})`;
/** What makes another model of the one with the number before it, in a folded title: a regular expression of JavaScript and Postgres. */
export const variantPattern = `(?<=[0-9] ?(?:${variant} ){0,2})${variant}(?![a-z])|(?<=[0-9]{2} ?)xl(?![a-z])|(?<=[0-9])(?<![0-9]{2})[+](?![0-9])`;
/** One that is typed comes before the model alone: 4+. */
export const variantOrder = (q: string) => (/\d[+](?!\d)/.test(q) ? "desc" : "asc");
/** How many such words a folded title has: 2 in iPhone 15 Pro Max. A search for the model alone shows that first. */
export const variantsIn = (folded: string): number =>
  folded.match(new RegExp(variantPattern, "g"))?.length ?? 0;

/**
 * Whether a title says that it is a part of something that has a name, or made for it: iPhone 15 ケース. A search for
 * the name alone shows the thing itself first. `folded`: the title, from `fold`.
 */
export function isAccessory(folded: string): boolean {
  const own = folded.replaceAll(included, " ");
  if (apart.test(behindFirst(japaneseName, own) ?? "")) return true;
  const rest = behindFirst(name, own);
  return rest !== undefined && (behindName.test(rest) || forName.test(own));
}

/** What follows the first two letters of a name. */
function behindFirst(start: RegExp, text: string): string | undefined {
  const at = text.search(start);
  return at < 0 ? undefined : text.slice(at + 2);
}
