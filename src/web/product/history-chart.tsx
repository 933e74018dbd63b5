import type { PriceInterval } from "../../catalog/history/history.ts";
import type { PriceSpan } from "../../matching/groups/lowest-spans.ts";
import {
  Chart,
  Columns,
  leftOf,
  Rows,
  timeTicks,
  type ChartShape,
} from "../shared/chart/chart.tsx";
import { px, scaleLinear, ticksAround, toSpanPath, widthOf } from "../shared/chart/axes.ts";
import { beginning, date } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";

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
export function HistoryChart(props: HistoryChartProps) {
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
