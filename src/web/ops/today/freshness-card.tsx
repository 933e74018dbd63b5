import type { Child } from "hono/jsx";
import type { FreshnessBand, FreshnessDay, CatalogStatus } from "../../../catalog/status/status.ts";
import { Table } from "../../shared/table.tsx";
import { LineChart, shareAxis, stepAxis } from "../chart/line-chart.tsx";
import type { OpsPage } from "../shared/ops-page.ts";
import { Figure } from "../shared/cells.tsx";

interface FreshnessCardProps {
  page: OpsPage;
  status: CatalogStatus;
  bands: readonly FreshnessBand[];
  /** Expected share of stored products that are up to date now; null without products. */
  share: number | null;
  days: readonly FreshnessDay[];
  /** Chooses how many days. */
  nav: Child;
}

/** How long ago products were checked: now, and at the end of each of the last days. */
export function FreshnessCard({ page, status, bands, share, days, nav }: FreshnessCardProps) {
  const { o, f } = page;
  const { freshness, products } = status;
  if (!freshness) return <p class="quiet">{o.fresh.empty}</p>;
  return (
    <>
      <dl class="figures">
        {share !== null && (
          <Figure name={o.fresh.share} title={o.fresh.shareHint} value={f.percent(share)} />
        )}
        <Figure name={o.fresh.median} value={f.duration(freshness.p50Seconds)} />
        <Figure name={o.fresh.p95} value={f.duration(freshness.p95Seconds)} />
        <Figure name={o.fresh.products} value={f.number(products.live + products.missing)} />
      </dl>
      <ShareBar
        label={o.fresh.now}
        parts={bands.map(({ upToSeconds, products: count }) => ({
          name: upToSeconds === null ? o.fresh.older : o.fresh.upTo(f.duration(upToSeconds)),
          count,
        }))}
        percent={f.percent}
      />
      {days.length > 1 && <DaysChart page={page} days={days} nav={nav} />}
    </>
  );
}

type DaysChartProps = Pick<FreshnessCardProps, "page" | "days" | "nav">;

function DaysChart({ page, days, nav }: DaysChartProps) {
  const { o, f } = page;
  const last = days.at(-1);
  return (
    <>
      <h3>{o.fresh.over}</h3>
      {nav}
      <LineChart
        id="fresh-days"
        title={o.fresh.over}
        description={last ? `${f.day(last.day)}: ${f.percent(last.checkedWithinDay)}` : ""}
        x={stepAxis(days.map(({ day }) => f.day(day)))}
        y={shareAxis}
        series={[
          {
            name: o.fresh.overShort,
            look: "actual",
            points: days.map(({ checkedWithinDay }, x) => ({ x, y: checkedWithinDay })),
          },
        ]}
        asTable={page.m.product.asTable}
      >
        <Table
          rows={days.toReversed()}
          columns={({ head, numbers }) => [
            head(o.days.day, (day) => f.day(day.day)),
            numbers(o.fresh.overShort, (day) => f.percent(day.checkedWithinDay)),
            numbers(o.fresh.median, (day) => f.duration(day.p50Seconds)),
            numbers(o.fresh.p95, (day) => f.duration(day.p95Seconds)),
          ]}
        />
      </LineChart>
    </>
  );
}

interface ShareBarProps {
  label: string;
  /** In this order. Empty parts are listed but not drawn. */
  parts: readonly { name: string; count: number }[];
  percent(share: number): string;
}

/** The parts of a whole in one bar, with a legend below. */
function ShareBar({ label, parts, percent }: ShareBarProps) {
  const total = parts.reduce((sum, { count }) => sum + count, 0) || 1;
  let at = 0;
  const drawn = parts.map(({ name, count }, i) => {
    const share = count / total;
    const part = { name, share, look: `band-${i + 1}`, x: at };
    at += share * 100;
    return part;
  });
  return (
    <figure class="shares">
      <figcaption>{label}</figcaption>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {drawn.map(({ share, look, x }) => (
          <rect class={look} x={round(x)} y="0" width={round(share * 100)} height="6" />
        ))}
      </svg>
      <ul class="legend">
        {drawn.map(({ name, share, look }) => (
          <li class={share === 0 ? "quiet" : ""}>
            <span class={`key ${look}`} aria-hidden="true" />
            {name} <b>{percent(share)}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
