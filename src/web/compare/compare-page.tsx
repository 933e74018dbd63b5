import type { Child } from "hono/jsx";
import { Hono } from "hono";
import { toUnitPrice } from "../../catalog/unit-price/unit-price.ts";
import type { ApiEnv } from "../../api/http/deps.ts";
import { readHistory } from "../../catalog/history/history.ts";
import { readProducts } from "../../catalog/products.ts";
import type { Db } from "../../db/open.ts";
import { LowPrice, lowPeriods } from "../product/history.tsx";
import { ToShop } from "../product/visitor-actions.tsx";
import { attributeFacts } from "../shared/product/attribute-text.ts";
import { mostCompared, readWanted } from "../shared/product/compare-tick.tsx";
import { Ago } from "../shared/ago.tsx";
import { beginning } from "../shared/format.ts";
import { Layout } from "../shared/page/layout.tsx";
import { openPage, sendPage, type Page, type PageDeps } from "../shared/page/page.ts";
import { FirstPicture, titleOf } from "../shared/product/product-tile.tsx";
import { ProvenPrice, Stock } from "../shared/product/price.tsx";
import { chartShapes } from "../shared/chart/chart.tsx";
import { ofShop, ShopText } from "../shared/text-language.tsx";
import { CompareChart, type Compared } from "./compare-chart.tsx";

/** `/compare?items=1,2,3`: up to four products side by side. */
export function compareRoutes(deps: PageDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get("/compare", async (c) => {
    const page = openPage(c, deps);
    const wanted = readWanted(c.req.queries("items") ?? [], mostCompared);
    const products = await readCompared(deps.db, wanted.itemIds, page.now);
    deps.demand.shown(products.map(({ record }) => record.itemId));
    const isFaulty = wanted.isFaulty || products.length < wanted.itemIds.length;
    const status = wanted.isFaulty ? 400 : isFaulty ? 404 : 200;
    return sendPage(c, page, <ComparePage {...{ page, products, isFaulty }} />, { status });
  });
}

/** Most intervals of each product in the chart, the newest ones. */
const mostIntervals = 200;

/** The products that were ever seen, deleted ones included, in this order. */
async function readCompared(db: Db, itemIds: readonly number[], now: Date): Promise<Compared[]> {
  const [records, histories] = await Promise.all([
    readProducts(db, itemIds),
    Promise.all(itemIds.map((id) => readHistory(db, id, { limit: mostIntervals, now }))),
  ]);
  return itemIds.flatMap((itemId, i) => {
    const [record, history] = [records.get(itemId), histories[i]];
    return record && history ? [{ record, history }] : [];
  });
}

interface ComparePageProps {
  page: Page;
  products: readonly Compared[];
  /** Something that was asked for is no product, or there were too many. */
  isFaulty: boolean;
}

function ComparePage({ page, products, isFaulty }: ComparePageProps) {
  const { m } = page;
  return (
    <Layout
      page={page}
      title={`${m.compare.title} – ${m.name}`}
      description={m.compare.description}
      noindex
    >
      <h1>{m.compare.title}</h1>
      {isFaulty && <p class="notice warn">{m.compare.faulty(mostCompared)}</p>}
      {products.length === 0 ? (
        <p>
          {m.compare.nothing} <a href="/?q=">{m.search.everything}</a>
        </p>
      ) : (
        <>
          <section class="card part" aria-label={m.compare.title}>
            <div class="wide" tabindex={0} role="group" aria-label={m.compare.title}>
              <Table page={page} products={products} />
            </div>
          </section>
          <PriceHistories page={page} products={products} />
        </>
      )}
    </Layout>
  );
}

function Table({ page, products }: { page: Page; products: readonly Compared[] }) {
  const { m, money } = page;
  const attributes = products.map(({ record }) => new Map(attributeFacts(m, record.attributes)));
  const told = [...new Set(attributes.flatMap((facts) => [...facts.keys()]))];
  const row = (name: Child, cell: (one: Compared, index: number) => Child) => (
    <tr>
      <th scope="row">{name}</th>
      {products.map((one, index) => (
        <td>{cell(one, index) || "–"}</td>
      ))}
    </tr>
  );
  const isGone = ({ record }: Compared) => record.deletedAt !== null;
  return (
    <table class="compare">
      <thead>
        <tr>
          <td></td>
          {products.map((one, index) => (
            <Head page={page} products={products} index={index} one={one} />
          ))}
        </tr>
      </thead>
      <tbody>
        {row(m.product.price, ({ record }) => (
          <ProvenPrice page={page} record={record} />
        ))}
        {row(m.product.stock, (one) =>
          isGone(one) ? (
            <span class="tag warn">{m.product.deletedTitle}</span>
          ) : (
            <Stock stock={one.record.stock} m={m} />
          ),
        )}
        {row(m.compare.unitPrice, ({ record }) => {
          const price = toUnitPrice(record);
          return price && m.product.unitPrice(money(price.amount), m.product.units[price.per]);
        })}
        {row(m.product.shop, (one) => (
          <>
            <ShopText page={page} text={one.record.shop.shopName} />
            {!isGone(one) && page.market.urlOf(one.record) !== null && (
              <ToShop
                page={page}
                itemId={one.record.itemId}
                isSoldOut={one.record.stock <= 0}
                look="button"
                about={titleOf(one.record, page, 80)}
              />
            )}
          </>
        ))}
        {lowPeriods.map((period) =>
          row(
            <>
              {m.product.lows} <span class="tag">{m.product.lowPeriods[period]}</span>
            </>,
            ({ history }) => <LowPrice page={page} low={history.lows[period]} />,
          ),
        )}
        {row(
          m.compare.offers,
          ({ record: { itemId, group } }) =>
            group &&
            group.lowestPrice !== null && (
              <>
                <a href={`/products/${itemId}#offers`}>
                  {m.product.offersFrom(group.offers, money(group.lowestPrice))}
                </a>
                {group.lowestUsedPrice !== null && (
                  <span class="fine">{m.product.usedFrom(money(group.lowestUsedPrice))}</span>
                )}
              </>
            ),
        )}
        {row(
          m.product.categories,
          ({ record }) =>
            record.categories.length > 0 && (
              <ShopText page={page} text={record.categories.join(", ")} most={120} />
            ),
        )}
        {told.map((name) =>
          row(name, (_, index) => (
            <span dir="auto">{beginning(attributes[index]?.get(name) ?? "–", 80)}</span>
          )),
        )}
        {row(m.compare.checked, ({ record }) => (
          <Ago page={page} at={record.checkedAt} />
        ))}
      </tbody>
    </table>
  );
}

function Head(props: { page: Page; products: readonly Compared[]; index: number; one: Compared }) {
  const { page, products, index, one } = props;
  const { record } = one;
  const title = titleOf(one.record, page, 80);
  const others = products.filter((_, i) => i !== index).map((other) => other.record.itemId);
  return (
    <th scope="col">
      <FirstPicture page={page} record={record} sizes="10rem" eager />
      <a href={`/products/${record.itemId}`} {...ofShop(title, page)}>
        {title}
      </a>
      <a
        class="fine"
        href={others.length === 0 ? "/compare" : `/compare?items=${others.join(",")}`}
        data-uncompare={String(record.itemId)}
        aria-label={page.m.search.remove(title)}
      >
        {page.m.compare.remove}
      </a>
    </th>
  );
}

function PriceHistories({ page, products }: { page: Page; products: readonly Compared[] }) {
  const { m } = page;
  return (
    <section class="card part" aria-labelledby="history">
      <h2 id="history">{m.compare.history}</h2>
      {products.every(({ history }) => history.intervals.every(({ price }) => price <= 0)) ? (
        <p>{m.product.noHistory}</p>
      ) : (
        <>
          <ol class="legend">
            {products.map((one, i) => (
              <li>
                <svg class="chart" viewBox="0 0 30 6" aria-hidden="true">
                  <path class={`compare-line line-${i + 1}`} d="M1 3h28" />
                </svg>
                <span {...ofShop(titleOf(one.record, page, 80), page)}>
                  {titleOf(one.record, page, 80)}
                </span>
              </li>
            ))}
          </ol>
          {chartShapes.map((shape) => (
            <CompareChart page={page} products={products} shape={shape} />
          ))}
          <p class="fine">{m.product.historyNote}</p>
        </>
      )}
    </section>
  );
}
