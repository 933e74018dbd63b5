import { WideTable } from "../shared/table.tsx";
import { readClickReport, type ClickReport } from "../../catalog/visitors/click-report.ts";
import { beginning } from "../shared/format.ts";
import { titleOf } from "../shared/product/product-tile.tsx";
import { Card, tabPaths } from "./shared/frame.tsx";
import type { ConsoleDeps, OpsPage, View } from "./shared/ops-page.ts";
import { DayRangeNav, dayRanges, readDayRange } from "./shared/choices.tsx";

const rowsShown = 20;
/** The query reads all clicks of these days, so its result is cached for this long. */
const trustMs = 60_000;

/** Where visitors went on to shops: by day, product and label of the page. */
export function createClicks({ opsDb, cache, clock, budget }: ConsoleDeps): View {
  const reports = cache.open<ClickReport>("clicks", trustMs);
  return async (page, c) => {
    const range = readDayRange(c);
    const report = await reports.fetch(range, () =>
      readClickReport(opsDb, {
        timezone: budget.timezone,
        now: clock.now(),
        days: dayRanges[range],
        rows: rowsShown,
      }),
    );
    const { clicks: words } = page.o;
    return (
      <>
        <h1>{words.title}</h1>
        <p class="fine">{words.lead}</p>
        <Card id="click-products" title={words.products} live>
          <Products page={page} products={report.products} />
        </Card>
        <div class="grid">
          <Card id="click-days" title={words.days} live>
            <DayRangeNav page={page} path={tabPaths.clicks} of={words.days} chosen={range} />
            <Days page={page} days={report.days} />
          </Card>
          <Card id="click-sources" title={words.sources} live>
            <Sources page={page} sources={report.sources} />
          </Card>
        </div>
      </>
    );
  };
}

function Products({ page, products }: { page: OpsPage; products: ClickReport["products"] }) {
  const { f, m } = page;
  const { clicks: words } = page.o;
  if (products.length === 0) return <p class="quiet">{words.empty}</p>;
  return (
    <WideTable
      label={words.products}
      rows={products}
      columns={[
        {
          name: m.product.product,
          isHead: true,
          cell: ({ itemId, title }) => (
            <a href={`/products/${itemId}`} dir="auto">
              {titleOf({ title }, page, 80)}
            </a>
          ),
        },
        { name: m.product.shop, cell: ({ shopName }) => <bdi>{beginning(shopName, 60)}</bdi> },
        { name: words.clicks, look: "number", cell: ({ clicks }) => f.number(clicks) },
      ]}
    />
  );
}

function Days({ page, days }: { page: OpsPage; days: ClickReport["days"] }) {
  const { f } = page;
  const { clicks: words } = page.o;
  const most = Math.max(1, ...days.map(({ clicks }) => clicks));
  return (
    <WideTable
      label={words.days}
      rows={days}
      columns={[
        {
          name: page.o.days.day,
          isHead: true,
          cell: ({ day, clicks }) => (
            <>
              {f.day(day)}
              <meter
                min="0"
                max={most}
                value={clicks}
                aria-label={`${words.clicks}: ${f.number(clicks)}`}
              />
            </>
          ),
        },
        { name: words.clicks, look: "number", cell: ({ clicks }) => f.number(clicks) },
      ]}
    />
  );
}

function Sources({ page, sources }: { page: OpsPage; sources: ClickReport["sources"] }) {
  const { f } = page;
  const { clicks: words } = page.o;
  if (sources.length === 0) return <p class="quiet">{words.empty}</p>;
  return (
    <WideTable
      label={words.sources}
      rows={sources}
      columns={[
        {
          name: words.source,
          isHead: true,
          cell: ({ src }) => (src === null ? words.none : <code>{src}</code>),
        },
        { name: words.key, look: "number", cell: ({ keyId }) => keyId ?? words.none },
        { name: words.clicks, look: "number", cell: ({ clicks }) => f.number(clicks) },
      ]}
    />
  );
}
