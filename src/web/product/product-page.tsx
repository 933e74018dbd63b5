import type { ProductOffersBody } from "../../api/products/offers/offer-schema.ts";
import { ageSeconds } from "../../api/products/to-product.ts";
import type { History } from "../../catalog/history/history.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { CompareBar, CompareTick } from "../shared/product/compare-tick.tsx";
import { toSafeImage } from "../../lib/safe-url.ts";
import { isVisible } from "../../lib/visible.ts";
import { Ago } from "../shared/ago.tsx";
import { ago, beginning, date } from "../shared/format.ts";
import { Layout, StructuredData } from "../shared/page/layout.tsx";
import type { Page } from "../shared/page/page.ts";
import { ProvenPrice, Stock } from "../shared/product/price.tsx";
import { titleOf } from "../shared/product/product-tile.tsx";
import { Viewed } from "../shared/product/viewed.tsx";
import {
  CheckNotice,
  CheckNow,
  type CheckOutcome,
  TellMeProduct,
  ToShop,
} from "./visitor-actions.tsx";
import { Facts, PriceFacts } from "./facts.tsx";
import { HistorySection, type MarketHistory } from "./history.tsx";
import { type OfferOrder, Offers, PriceElsewhere, Similar } from "./offers.tsx";
import { toStructuredData } from "./structured-data.ts";
import { ofShop, ShopText } from "../shared/text-language.tsx";
import type { ImageSlot, VariationRow } from "../../db/schema.ts";
import { Picture } from "../shared/product/picture.tsx";
import { WideTable } from "../shared/table.tsx";
import { searchFor } from "../shared/search-address.ts";

const maxTitleChars = 160;
const maxDetailChars = 20_000;

interface ProductPageProps {
  page: Page;
  record: ProductRecord;
  history: History;
  /** The offers of all shops; null: there are no other offers. */
  market: MarketHistory | null;
  offers: ProductOffersBody;
  outcome: CheckOutcome | null;
  offerOrder: OfferOrder;
}

export function ProductPage(props: ProductPageProps) {
  const { page, record, history, market, offers, outcome } = props;
  const { m } = page;
  const title = titleOf(record, page, maxTitleChars);
  const isDeleted = record.deletedAt !== null;
  const isSold = !isDeleted && page.market.urlOf(record) !== null;
  return (
    <Layout
      page={page}
      title={`${beginning(title, 70)} – ${m.name}`}
      description={
        beginning(record.detail.replaceAll(/\s+/g, " ").trim(), 150) || m.search.description
      }
      extras={["viewed.js"]}
      noindex={isDeleted || outcome !== null}
      canonical={`/products/${record.itemId}`}
      image={toSafeImage(record.images.find((slot) => slot !== null)?.["origin"])}
      head={<StructuredData data={toStructuredData(record, page, offers.offers)} />}
    >
      <Breadcrumbs page={page} record={record} />
      {record.deletedAt !== null && <Gone page={page} at={record.deletedAt} />}
      {record.state === "missing" && <p class="notice warn">{m.product.missing}</p>}
      {outcome !== null && <CheckNotice page={page} outcome={outcome} />}
      <article class={isDeleted ? "product-page gone" : "product-page"}>
        <Gallery page={page} images={record.images} />
        <div class="summary">
          <h1 {...ofShop(title, page)}>{title}</h1>
          <p class="now">
            <ProvenPrice page={page} record={record} />
            {!isDeleted && <Stock stock={record.stock} m={m} />}
          </p>
          <PriceElsewhere page={page} record={record} offers={offers} />
          <PriceFacts page={page} record={record} />
          <p class="quiet">
            <Ago page={page} at={record.checkedAt}>
              {m.product.checked(ago(ageSeconds(record, page.now), page.lang))}
            </Ago>
          </p>
          {isSold && (
            <ToShop
              page={page}
              itemId={record.itemId}
              isSoldOut={record.stock <= 0}
              look="button"
            />
          )}
          {!isDeleted && <CompareTick page={page} itemId={record.itemId} about={title} />}
          {!isDeleted && <CheckNow page={page} itemId={record.itemId} />}
          <Facts page={page} record={record} />
        </div>
        <div class="parts">
          <Offers page={page} itemId={record.itemId} offers={offers} order={props.offerOrder} />
          <HistorySection page={page} title={title} history={history} market={market} />
          {!isDeleted && <TellMeProduct page={page} record={record} lows={history.lows} />}
          <Similar page={page} similar={offers.similar} />
          <Variations page={page} variations={record.variations} />
          <Detail page={page} record={record} />
        </div>
      </article>
      <Viewed page={page} {...(isDeleted ? {} : { itemId: record.itemId })} />
      {!isDeleted && <CompareBar page={page} />}
    </Layout>
  );
}

/** The way to the product, from the widest list; also for search engines. */
function Breadcrumbs({ page, record }: { page: Page; record: ProductRecord }) {
  const { m, origin } = page;
  const steps = [
    { name: m.browse.categories, href: "/categories" },
    ...record.categories
      .slice(0, 1)
      .map((category) => ({ name: category, href: searchFor("category", category) })),
  ];
  const data = {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: steps.map(({ name, href }, i) => ({
      "@type": "ListItem",
      position: i + 1,
      name: beginning(name, 100),
      item: `${origin}${href}`,
    })),
  };
  return (
    <nav class="breadcrumbs fine" aria-label={m.browse.way}>
      <ol>
        {steps.map(({ name, href }) => (
          <li>
            <a href={href} dir="auto">
              {beginning(name, 60)}
            </a>
          </li>
        ))}
      </ol>
      <StructuredData data={data} />
    </nav>
  );
}

function Gone({ page, at }: { page: Page; at: Date }) {
  const { m, lang } = page;
  return (
    <div class="notice warn">
      <strong>{m.product.deletedTitle}</strong>
      <p>{m.product.deletedText(date(at, "moment", lang))}</p>
    </div>
  );
}

/** The shop's text. Markup in it is shown as text. */
function Detail({ page, record }: { page: Page; record: ProductRecord }) {
  const { m } = page;
  return (
    <section class="card part" aria-labelledby="detail">
      <h2 id="detail">{m.product.detail}</h2>
      {record.title.length > maxTitleChars && (
        <details>
          <summary>{m.product.fullTitle}</summary>
          <p {...ofShop(record.title, page)}>{beginning(record.title, maxDetailChars)}</p>
        </details>
      )}
      {record.detail.trim() === "" ? (
        <p class="quiet">{m.product.noDetail}</p>
      ) : (
        <p class="detail" {...ofShop(record.detail, page)}>
          {beginning(record.detail, maxDetailChars)}
        </p>
      )}
    </section>
  );
}

/** A row that scrolls sideways by touch, wheel or keyboard, without scripts. */
function Gallery(props: { page: Page; images: readonly (ImageSlot | null)[] }) {
  const { m } = props.page;
  const slots = props.images.filter((slot) => slot !== null);
  if (slots.length === 0) {
    return (
      <div class="gallery">
        <Picture page={props.page} slot={null} sizes="" alt="" />
        <p class="hidden">{m.product.noPhoto}</p>
      </div>
    );
  }
  return (
    <ul
      class="gallery"
      aria-label={m.product.gallery}
      {...(slots.length > 1 ? { tabindex: 0 } : {})}
    >
      {slots.map((slot, index) => (
        <li>
          <Picture
            page={props.page}
            slot={slot}
            sizes="(min-width: 60rem) 34rem, 92vw"
            alt={m.product.photo(index + 1, slots.length)}
            eager={index === 0}
          />
        </li>
      ))}
    </ul>
  );
}

const shownAtMost = 200;

function Variations(props: { page: Page; variations: readonly VariationRow[] }) {
  const { page, variations } = props;
  const { m } = page;
  if (variations.length === 0) return null;
  return (
    <section class="card part" aria-labelledby="variations">
      <h2 id="variations">{m.product.variations}</h2>
      <WideTable
        label={m.product.variations}
        rows={variations.slice(0, shownAtMost)}
        columns={({ column }) => [
          column(m.product.variation, ({ variation }) =>
            isVisible(variation) ? <ShopText page={page} text={variation} most={120} /> : "–",
          ),
          column(m.product.stock, (one) => <Stock stock={one.variation_stock} m={m} />),
          column(m.product.barcode, ({ barcode }) => (barcode ? beginning(barcode, 40) : "–")),
        ]}
      />
      {variations.length > shownAtMost && <p class="fine">{m.product.firstOnly(shownAtMost)}</p>}
    </section>
  );
}
