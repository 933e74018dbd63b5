import type { Child } from "hono/jsx";
import type { SpentDay } from "../../../crawl/budget/usage-report.ts";
import { Table } from "../../shared/table.tsx";
import { countAxis, LineChart, stepAxis } from "../chart/line-chart.tsx";
import type { OpsPage } from "../shared/ops-page.ts";

export function SpentDays({ page, days }: { page: OpsPage; days: readonly SpentDay[] }) {
  const { o, f } = page;
  if (days.length === 0) return <p class="quiet">{o.purchases.empty}</p>;
  return (
    <DaysChart page={page} days={days.toReversed()}>
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
    </DaysChart>
  );
}

/** `days`: oldest first. */
function DaysChart(props: { page: OpsPage; days: readonly SpentDay[]; children: Child }) {
  const { page, days, children } = props;
  const { o, f } = page;
  const last = days.at(-1);
  const pointsOf = (name: "used" | "limit") => days.map((day, x) => ({ x, y: day[name] }));
  return (
    <LineChart
      id="calls-by-day"
      title={o.days.title}
      description={last ? `${f.day(last.day)}: ${f.number(last.used)}` : ""}
      x={stepAxis(days.map(({ day }) => f.day(day)))}
      y={countAxis(Math.max(4, ...days.flatMap((day) => [day.used, day.limit])), f.number)}
      series={[
        { name: o.budget.limit, look: "pace", points: pointsOf("limit") },
        { name: o.budget.used, look: "actual", points: pointsOf("used") },
      ]}
      // A first day has no line.
      {...(last && { dot: { x: days.length - 1, y: last.used } })}
      asTable={page.m.product.asTable}
    >
      {children}
    </LineChart>
  );
}
