import type { Child } from "hono/jsx";
import type { History, PriceInterval } from "../../catalog/history/history.ts";
import type { Low, Lows } from "../../catalog/history/lows.ts";
import type { GroupHistory, PriceSpan } from "../../matching/groups/group-history.ts";
import {
  chartShapes,
  Chart,
  Columns,
  leftOf,
  Rows,
  timeTicks,
  type ChartShape,
} from "../shared/chart/chart.tsx";
import { count, date, beginning } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";
import { WideTable } from "../shared/table.tsx";
import { px, scaleLinear, ticksAround, toSpanPath, widthOf } from "../shared/chart/axes.ts";

const shownRows = 200;
export const lowPeriods = ["30d", "90d", "1y", "all"] as const;

interface HistorySectionProps {
  page: Page;
  title: string;
  history: History;
  /** The history of the offers of all shops; null: there are no other offers. */
  market: MarketHistory | null;
}

export interface MarketHistory extends GroupHistory {
  /** Not of all: some are used, and their prices are not compared with the others. */
  leavesOutUsed: boolean;
}

export function HistorySection({ page, title, history, market }: HistorySectionProps) {
  const { m } = page;
  return (
    <section class="card part" aria-labelledby="history">
      <h2 id="history">{m.product.history}</h2>
      {history.intervals.length === 0 ? (
        <p>{m.product.noHistory}</p>
      ) : (
        <>
          <LowPrices name={m.product.lows} lows={history.lows} page={page} />
          {market && <LowPrices name={m.product.marketLows} lows={market.lows} page={page} />}
          {chartShapes.map((shape) => (
            <HistoryChart
              page={page}
              title={title}
              intervals={history.intervals}
              lowest={market?.lowest ?? []}
              shape={shape}
            />
          ))}
          <p class="fine">
            {m.product.historyNote} {market && m.product.marketNote}{" "}
            {market?.leavesOutUsed && m.product.marketUnused}
          </p>
          <details>
            <summary>{m.product.asTable}</summary>
            <HistoryTable page={page} history={history} />
            {history.intervals.length > shownRows && (
              <p class="fine">{m.product.firstOnly(shownRows)}</p>
            )}
          </details>
        </>
      )}
    </section>
  );
}

function LowPrices({ name, lows, page }: { name: string; lows: Lows; page: Page }) {
  return (
    <dl class="lows">
      {lowPeriods.map((period) => (
        <div>
          <dt>
            {name} <span class="tag">{page.m.product.lowPeriods[period]}</span>
          </dt>
          <dd>
            <LowPrice page={page} low={lows[period]}>
              <br />
              {page.m.product.observations(count(lows[period]?.observations ?? 0))}
            </LowPrice>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A lowest price and since when it was; `children` tell more of it. */
export function LowPrice(props: { page: Page; low: Low | null; children?: Child }) {
  const { low } = props;
  const { m, money, lang } = props.page;
  if (!low) return <span class="quiet">{m.product.noLow}</span>;
  return (
    <>
      <strong>{money(low.price)}</strong>
      <span class="fine">
        {m.product.lowAt(date(low.at, "day", lang))}
        {props.children}
      </span>
    </>
  );
}

function HistoryTable({ page, history }: { page: Page; history: History }) {
  const { m, money, lang } = page;
  return (
    <WideTable
      label={m.product.history}
      rows={history.intervals.slice(-shownRows).toReversed()}
      columns={({ column, numbers }) => [
        column(m.product.from, (row) => date(row.firstSeen, "moment", lang)),
        column(m.product.until, (row) => date(row.lastConfirmed, "moment", lang)),
        numbers(m.product.price, (row) => (row.price > 0 ? money(row.price) : m.product.noPrice)),
        numbers(m.product.regularPrice, (row) =>
          row.properPrice === null ? "–" : money(row.properPrice),
        ),
        numbers(m.product.stock, (row) => count(row.stock)),
      ]}
    />
  );
}

const rightMargin = 14;
const priceTop = 14;
const priceBottom = 190;

/** Most intervals to draw; older ones are only in the table. */
const maxDrawn = 400;

interface HistoryChartProps {
  page: Page;
  title: string;
  /** Oldest first, at least one. */
  intervals: readonly PriceInterval[];
  /** The lowest price of all shops; empty if it has no other offers. */
  lowest: readonly PriceSpan[];
  shape: ChartShape;
}

/** Price above, if any was stated, and stock below, over the same time. Draws nothing where nothing was confirmed. */
function HistoryChart(props: HistoryChartProps) {
  const { page, title, intervals: all } = props;
  const { m, money, lang } = page;
  const intervals = all.slice(-maxDrawn);
  const from = intervals[0]?.firstSeen ?? page.now;
  const to = intervals.at(-1)?.lastConfirmed ?? page.now;
  const prices = intervals.flatMap(({ price }) => (price > 0 ? [price] : []));
  const lowest = within(props.lowest, from, to);
  const shownPrices = [
    ...prices,
    ...intervals.flatMap(({ properPrice }) => properPrice ?? []),
    ...lowest.map((span) => span.price),
  ];
  const height = props.shape.height - (shownPrices.length === 0 ? priceBottom : 0);
  const shape = { ...props.shape, height };
  const right = shape.width - rightMargin;
  const [stockTop, stockBottom] = [height - 86, height - 32];
  const priceTicks =
    shownPrices.length === 0
      ? []
      : ticksAround(Math.min(...shownPrices), Math.max(...shownPrices), 4);
  const stockTicks = ticksAround(0, Math.max(1, ...intervals.map((interval) => interval.stock)), 2);
  const priceRows = priceTicks.map((value) => ({ value, text: money(value) }));
  const stockRows = ends(stockTicks).map((value) => ({ value, text: String(value) }));
  const left = leftOf([...priceRows, ...stockRows]);
  const x = scaleLinear(
    [from.getTime(), Math.max(to.getTime(), from.getTime() + 1)],
    [left, right],
  );
  const y = scaleLinear(ends(priceTicks), [priceBottom, priceTop]);
  const stockY = scaleLinear(ends(stockTicks), [stockBottom, stockTop]);
  return (
    <Chart
      id="history-chart"
      title={m.product.chartTitle(beginning(title, 60))}
      description={m.product.chartDesc({
        intervals: intervals.length,
        prices:
          prices.length === 0
            ? null
            : { low: money(Math.min(...prices)), high: money(Math.max(...prices)) },
        from: date(from, "day", lang),
        to: date(to, "day", lang),
      })}
      shape={shape}
    >
      <Rows ticks={priceRows} y={y} from={left} to={right} />
      <Rows ticks={stockRows} y={stockY} from={left} to={right} />
      <text class="axis" x={left} y={stockTop - 8}>
        {m.product.stock}
      </text>
      <g class="stock">
        {intervals.map((interval) => (
          <rect
            x={px(x(interval.firstSeen.getTime()))}
            y={px(stockY(interval.stock))}
            width={px(Math.max(2, widthOf(interval, x)))}
            height={px(Math.max(1, stockBottom - stockY(interval.stock)))}
          />
        ))}
      </g>
      <path
        class="regular-line"
        d={toSpanPath(intervals, x, y, (interval) => interval.properPrice)}
      />
      {lowest.length > 0 && (
        <path class="lowest-line" d={toSpanPath(lowest, x, y, (span) => span.price)} />
      )}
      <path
        class="price-line"
        d={toSpanPath(intervals, x, y, ({ price }) => (price > 0 ? price : null))}
      />
      <Columns
        ticks={timeTicks({ from: from.getTime(), to: to.getTime(), shape, lang })}
        x={x}
        y={height - 8}
      />
    </Chart>
  );
}

function ends(ticks: readonly number[]): [number, number] {
  return [ticks[0] ?? 0, ticks.at(-1) ?? 1];
}

/** The parts between these moments. */
function within(spans: readonly PriceSpan[], from: Date, to: Date): PriceSpan[] {
  return spans
    .filter((span) => span.lastConfirmed > from && span.firstSeen < to)
    .map((span) => ({
      ...span,
      firstSeen: span.firstSeen > from ? span.firstSeen : from,
      lastConfirmed: span.lastConfirmed < to ? span.lastConfirmed : to,
    }));
}
