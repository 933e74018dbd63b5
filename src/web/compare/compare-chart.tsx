import type { History, PriceInterval } from "../../catalog/history/history.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import {
  Chart,
  Columns,
  leftOf,
  Rows,
  timeTicks,
  type ChartShape,
} from "../shared/chart/chart.tsx";
import { scaleLinear, ticksAround, toSpanPath } from "../shared/chart/axes.ts";
import { beginning, date } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";

const right = 14;
const top = 14;
const bottom = 262;

export interface Compared {
  record: ProductRecord;
  history: History;
}

interface CompareChartProps {
  page: Page;
  /** At least one of them has a history. */
  products: readonly Compared[];
  shape: ChartShape;
}

/** The prices of several products over the same time, each with a line of its own kind. */
export function CompareChart({ page, products, shape }: CompareChartProps) {
  const { m, money, lang } = page;
  const { width, height } = shape;
  // A price of 0 says that only the shop tells it.
  const lines = products.map(({ history }) => history.intervals.filter(({ price }) => price > 0));
  const all = lines.flat();
  if (all.length === 0) return null;
  const from = Math.min(...all.map((interval) => interval.firstSeen.getTime()));
  const to = Math.max(...all.map((interval) => interval.lastConfirmed.getTime()), from + 1);
  const prices = all.map((interval) => interval.price);
  const ticks = ticksAround(Math.min(...prices), Math.max(...prices), 4);
  const rows = ticks.map((value) => ({ value, text: money(value) }));
  const left = leftOf(rows);
  const x = scaleLinear([from, to], [left, width - right]);
  const y = scaleLinear([ticks[0] ?? 0, ticks.at(-1) ?? 1], [bottom, top]);
  return (
    <Chart
      id="compare-chart"
      title={m.compare.chartTitle}
      description={products
        .map(({ record }, i) => describe(page, record.title, lines[i] ?? []))
        .join(" ")}
      shape={shape}
    >
      <Rows ticks={rows} y={y} from={left} to={width - right} />
      {lines.map((intervals, i) => (
        <path
          class={`compare-line line-${i + 1}`}
          d={toSpanPath(intervals, x, y, ({ price }) => price)}
        />
      ))}
      <Columns ticks={timeTicks({ from, to, shape, lang })} x={x} y={height - 8} />
    </Chart>
  );

  function describe({ m: texts }: Page, title: string, intervals: readonly PriceInterval[]) {
    const [first, last] = [intervals[0], intervals.at(-1)];
    const name = beginning(title, 60);
    if (!first || !last) return `${name}: ${texts.product.noHistory}`;
    const own = intervals.map(({ price }) => price);
    return `${name}: ${texts.product.chartDesc({
      intervals: intervals.length,
      prices: { low: money(Math.min(...own)), high: money(Math.max(...own)) },
      from: date(first.firstSeen, "day", lang),
      to: date(last.lastConfirmed, "day", lang),
    })}`;
  }
}
