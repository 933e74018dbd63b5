import type { FailureStep, ReportRange } from "../../../crawl/budget/usage-report.ts";
import { Table } from "../../shared/table.tsx";
import { countAxis, LineChart, stepAxis } from "../chart/line-chart.tsx";
import { toAddress, type Query } from "../shared/filters.tsx";
import { Card, tabPaths } from "../shared/frame.tsx";
import type { OpsPage } from "../shared/ops-page.ts";
import { Choices } from "../shared/choices.tsx";

interface FailuresProps {
  page: OpsPage;
  range: ReportRange;
  steps: readonly FailureStep[];
  /** The filters of the log below, which stay. */
  asked: Query;
}

/** Failed calls of a day, week or month, and how many of each kind. */
export function FailuresCard({ page, range, steps, asked }: FailuresProps) {
  const { failures: words } = page.o;
  const kinds = byKind(steps);
  return (
    <Card id="failures" title={words.title} live>
      <Choices
        path={tabPaths.calls}
        query={asked}
        name="range"
        label={words.range}
        texts={words.ranges}
        chosen={range}
      />
      {kinds.length === 0 && <p class="quiet">{words.none}</p>}
      <ul>
        {kinds.map(([code, calls]) => (
          <li>
            <a href={toAddress(tabPaths.calls, { outcome: code, range })}>{code}</a>{" "}
            {page.f.number(calls)}
          </li>
        ))}
      </ul>
      <FailuresChart page={page} steps={steps} kinds={kinds.map(([code]) => code)} />
    </Card>
  );
}

function FailuresChart(props: {
  page: OpsPage;
  steps: readonly FailureStep[];
  kinds: readonly string[];
}) {
  const { page, steps, kinds } = props;
  const { o, f } = page;
  const { failures: words } = o;
  const nameOfStep = ({ at, day }: FailureStep) => (day === null ? f.time(at) : f.day(day));
  const points = steps.map((step, x) => ({ x, y: toTotal(step) }));
  const total = points.reduce((all, { y }) => all + y, 0);
  return (
    <LineChart
      id="failures-over-time"
      title={words.title}
      description={words.describe(f.number(total))}
      x={stepAxis(steps.map(nameOfStep))}
      y={countAxis(Math.max(4, ...points.map(({ y }) => y)), f.number)}
      series={[{ name: words.title, look: "actual", points }]}
      asTable={page.m.product.asTable}
    >
      <Table
        rows={steps.toReversed()}
        columns={({ head, numbers }) => [
          head(words.when, nameOfStep),
          numbers(words.calls, ({ calls }) => f.number(calls)),
          numbers(words.failed, (step) => f.number(toTotal(step))),
          ...kinds.map((code) =>
            numbers(code, ({ failures }) => f.number(failures.get(code) ?? 0)),
          ),
        ]}
      />
    </LineChart>
  );
}

function toTotal({ failures }: FailureStep): number {
  return [...failures.values()].reduce((all, calls) => all + calls, 0);
}

/** Most first. */
function byKind(steps: readonly FailureStep[]): [code: string, calls: number][] {
  const totals = new Map<string, number>();
  for (const [code, calls] of steps.flatMap(({ failures }) => [...failures])) {
    totals.set(code, (totals.get(code) ?? 0) + calls);
  }
  return [...totals].toSorted(([, a], [, b]) => b - a);
}
