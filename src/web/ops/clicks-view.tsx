import { readClickReport, type ClickReport } from "../../catalog/visitors/clicks.ts";
import { WideTable } from "../shared/table.tsx";
import { beginning } from "../shared/format.ts";
import { titleOf } from "../shared/product/product-tile.tsx";
import { Card, tabPaths } from "./shared/frame.tsx";
import type { ConsoleDeps, View } from "./shared/ops-page.ts";
import { Share } from "./shared/cells.tsx";
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
    const { f, m, o } = page;
    const { clicks: words } = o;
    const { products, days, sources } = report;
    const most = Math.max(1, ...days.map(({ clicks }) => clicks));
    return (
      <>
        <h1>{words.title}</h1>
        <p class="fine">{words.lead}</p>
        <Card id="click-products" title={words.products} live>
          <WideTable
            label={words.products}
            empty={words.empty}
            rows={products}
            columns={({ head, column, numbers }) => [
              head(m.product.product, ({ itemId, title }) => (
                <a href={`/products/${itemId}`} dir="auto">
                  {titleOf({ title }, page, 80)}
                </a>
              )),
              column(m.product.shop, ({ shopName }) => <bdi>{beginning(shopName, 60)}</bdi>),
              numbers(words.clicks, ({ clicks }) => f.number(clicks)),
            ]}
          />
        </Card>
        <div class="grid">
          <Card id="click-days" title={words.days} live>
            <DayRangeNav page={page} path={tabPaths.clicks} of={words.days} chosen={range} />
            <WideTable
              label={words.days}
              rows={days}
              columns={({ head, numbers }) => [
                head(o.days.day, ({ day, clicks }) => (
                  <>
                    {f.day(day)}
                    <Share of={most} count={clicks} text={`${words.clicks}: ${f.number(clicks)}`} />
                  </>
                )),
                numbers(words.clicks, ({ clicks }) => f.number(clicks)),
              ]}
            />
          </Card>
          <Card id="click-sources" title={words.sources} live>
            <WideTable
              label={words.sources}
              empty={words.empty}
              rows={sources}
              columns={({ head, numbers }) => [
                head(words.source, ({ src }) => (src === null ? words.none : <code>{src}</code>)),
                numbers(words.key, ({ keyId }) => keyId ?? words.none),
                numbers(words.clicks, ({ clicks }) => f.number(clicks)),
              ]}
            />
          </Card>
        </div>
      </>
    );
  };
}
