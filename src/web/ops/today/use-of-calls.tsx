import type { Purchase, SpentDay } from "../../../crawl/budget/usage-report.ts";
import { Table, WideTable } from "../../shared/table.tsx";
import { countAxis, LineChart, stepAxis } from "../chart/line-chart.tsx";
import { Share } from "../shared/cells.tsx";
import type { OpsPage } from "../shared/ops-page.ts";

const counts = [
  "calls",
  "failed",
  "created",
  "changed",
  "unchanged",
  "gone",
  "quarantined",
] as const;

/** The use of today's calls, and the yield of each kind of call. */
export function Purchases({ page, purchases }: { page: OpsPage; purchases: readonly Purchase[] }) {
  const { o, f } = page;
  const { purchases: words } = o;
  if (purchases.length === 0) return <p class="quiet">{words.empty}</p>;
  const most = Math.max(...purchases.map(({ calls }) => calls));
  return (
    <>
      <WideTable
        label={words.title}
        rows={purchases}
        columns={({ head, column, numbers }) => [
          head(words.purpose, ({ purpose, calls }) => (
            <>
              {words.purposes[purpose]}
              <Share of={most} count={calls} text={`${words.calls}: ${f.number(calls)}`} />
            </>
          )),
          column(words.job, ({ job }) => <code>{job}</code>),
          ...counts.map((count) =>
            numbers(words[count], ({ [count]: figure }) => (
              <span class={figure === 0 ? "zero" : undefined}>{f.number(figure)}</span>
            )),
          ),
          numbers(words.news, (row) => f.decimal(toNews(row), 2)),
        ]}
      />
      <p class="fine">{words.newsHint}</p>
    </>
  );
}

function toNews({ created, changed, gone, calls }: Purchase): number {
  return calls === 0 ? 0 : (created + changed + gone) / calls;
}

/** How many calls each day had, and what they brought. `days`: newest first. */
export function SpentDays({ page, days }: { page: OpsPage; days: readonly SpentDay[] }) {
  const { o, f } = page;
  const [newest] = days;
  if (!newest) return <p class="quiet">{o.purchases.empty}</p>;
  const inOrder = days.toReversed();
  const pointsOf = (name: "used" | "limit") => inOrder.map((day, x) => ({ x, y: day[name] }));
  return (
    <LineChart
      id="calls-by-day"
      title={o.days.title}
      description={`${f.day(newest.day)}: ${f.number(newest.used)}`}
      x={stepAxis(inOrder.map(({ day }) => f.day(day)))}
      y={countAxis(Math.max(4, ...days.flatMap((day) => [day.used, day.limit])), f.number)}
      series={[
        { name: o.budget.limit, look: "pace", points: pointsOf("limit") },
        { name: o.budget.used, look: "actual", points: pointsOf("used") },
      ]}
      // A first day has no line.
      dot={{ x: days.length - 1, y: newest.used }}
      asTable={page.m.product.asTable}
    >
      <Table
        rows={days}
        columns={({ head, numbers }) => [
          head(o.days.day, (day) => (
            <>
              {f.day(day.day)} {day.refused && <span class="tag sale">{o.days.refused}</span>}
            </>
          )),
          numbers(o.budget.used, (day) => f.number(day.used)),
          numbers(o.budget.limit, (day) => f.number(day.limit)),
          ...(["created", "changed", "gone"] as const).map((news) =>
            numbers(o.purchases[news], (day) => f.number(day[news] ?? 0)),
          ),
        ]}
      />
    </LineChart>
  );
}
