import { raw } from "hono/html";
import { ageSeconds } from "../../api/products/to-product.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import type { FoundProduct } from "../../search/query/product-search.ts";
import { CompareTick } from "../shared/product/compare-tick.tsx";
import { Ago } from "../shared/ago.tsx";
import { ago, beginning } from "../shared/format.ts";
import type { Language } from "../../lib/languages.ts";
import { toHtml, type Page } from "../shared/page/page.ts";
import { ProvenPrice } from "../shared/product/price.tsx";
import { ProductTile, titleOf } from "../shared/product/product-tile.tsx";

/** Shops' texts are escaped, so they never contain these. */
const ageMark = "<!--age-->";
const offersMark = "<!--offers-->";
const missingMark = "<!--missing-->";

/** A card without the parts that change with time and search. Cached as long as the record exists. */
const drawn = new WeakMap<ProductRecord, Partial<Record<Language, string>>>();

/** What a card shows of a product. */
export type Card = Pick<FoundProduct, "record" | "missingWords" | "offers">;

/** Renders cards. Most of a card is rendered once per version of a product. */
export function drawCard(found: Card, page: Page): string {
  const { lang, m } = page;
  const cards = drawn.get(found.record) ?? {};
  drawn.set(found.record, cards);
  const card = (cards[lang] ??= toHtml(<ProductCard record={found.record} page={page} />));
  const offers = drawOffers(found, page);
  const { missingWords } = found;
  const missing = missingWords.length === 0 ? "" : drawMissing(missingWords, page);
  return card
    .replace(missingMark, () => missing)
    .replace(ageMark, () => m.product.checked(ago(ageSeconds(found.record, page.now), lang)))
    .replace(offersMark, () => offers);
}

function ProductCard({ record, page }: { record: ProductRecord; page: Page }) {
  const prices = <ProvenPrice page={page} record={record} />;
  return (
    <ProductTile page={page} record={record} heading="h2" prices={prices}>
      {raw(missingMark)}
      {raw(offersMark)}
      <CompareTick page={page} itemId={record.itemId} about={titleOf(record, page)} />
      <p class="fine">
        <Ago page={page} at={record.checkedAt}>
          {raw(ageMark)}
        </Ago>
      </p>
    </ProductTile>
  );
}

function drawMissing(words: readonly string[], { m }: Page): string {
  return toHtml(
    <p class="line missing">
      {m.search.missing}
      {words.map((word) => (
        <del dir="auto">{beginning(word, 40)}</del>
      ))}
    </p>,
  );
}

/** What other shops ask for the same product: for its whole group, or for the found products with one barcode where the row stands for these. */
function drawOffers({ record, offers }: Card, page: Page): string {
  const { m, money } = page;
  const href = `/products/${record.itemId}#offers`;
  const { group } = record;
  if ((offers?.gtin ?? null) === null && group && group.lowestPrice !== null) {
    return toHtml(
      <p class="line group">
        <a href={href}>{m.product.offersFrom(group.offers, money(group.lowestPrice))}</a>
        {group.lowestUsedPrice !== null && (
          <span class="fine">{m.product.usedFrom(money(group.lowestUsedPrice))}</span>
        )}
      </p>,
    );
  }
  if (!offers || offers.count < 2) return "";
  return toHtml(
    <p class="line group">
      <a href={href}>{m.product.offersOf(offers.shops, offers.count)}</a>
      <span class="fine">{pricesOf(offers, page)}</span>
      {offers.lowest_used_price > 0 && (
        <span class="fine">{m.product.usedFrom(money(offers.lowest_used_price))}</span>
      )}
    </p>,
  );
}

function pricesOf(
  { lowest_price: lowest, highest_price: highest }: NonNullable<Card["offers"]>,
  { m, money }: Page,
): string {
  if (highest <= 0) return m.product.noPrice;
  return lowest === highest ? money(lowest) : `${money(lowest)} – ${money(highest)}`;
}
