import type { BudgetToday } from "../../../crawl/budget/budget-today.ts";
import type { BurnDown } from "../../../crawl/budget/burn-down.ts";
import { Table } from "../../shared/table.tsx";
import { countAxis, LineChart, type ChartPoint } from "../chart/line-chart.tsx";
import type { OpsPage } from "../shared/ops-page.ts";
import { Figure } from "../shared/cells.tsx";

interface BudgetCardProps {
  page: OpsPage;
  budget: BudgetToday;
  start: Date;
  burnDown: BurnDown;
}

/** Today's calls compared with an even pace, and a forecast from the last hour. */
export function BudgetCard({ page, budget, start, burnDown }: BudgetCardProps) {
  const { o, f } = page;
  const { ahead, forecast } = burnDown;
  return (
    <>
      <dl class="figures">
        <Figure name={o.budget.used} value={f.number(budget.used)}>
          {o.budget.of(f.number(budget.limit))}
        </Figure>
        <Figure name={o.budget.left} value={f.number(budget.remaining)} />
      </dl>
      {budget.refusedAt && <p class="notice warn">{o.budget.refused(f.time(budget.refusedAt))}</p>}
      <p>
        {ahead === 0 && o.budget.even}
        {ahead > 0 && o.budget.ahead(f.number(ahead))}
        {ahead < 0 && o.budget.behind(f.number(-ahead))}{" "}
        {forecast.spentAt
          ? o.budget.spentAt(f.time(forecast.spentAt))
          : o.budget.leftAtEnd(f.number(forecast.leftAtEnd))}
      </p>
      {budget.accounts.length > 1 && <Accounts page={page} accounts={budget.accounts} />}
      <BurnDownChart page={page} budget={budget} start={start} burnDown={burnDown} />
      <p class="fine">{o.budget.resets(f.dateTime(budget.resetsAt), budget.timezone)}</p>
    </>
  );
}

function Accounts({ page, accounts }: { page: OpsPage; accounts: BudgetToday["accounts"] }) {
  const { o, f } = page;
  const state = ({ pause, refusedAt, resetsAt, account }: (typeof accounts)[number]) => {
    if (pause) return o.budget.accountPaused(f.dateTime(pause.until), pause.reason);
    if (refusedAt) return o.budget.accountRefused(f.time(refusedAt));
    return o.budget.resets(f.dateTime(resetsAt), account.timezone);
  };
  return (
    <Table
      rows={accounts}
      columns={({ head, column, numbers }) => [
        head(o.budget.account, ({ account }) => account.name),
        numbers(o.budget.used, ({ used }) => f.number(used)),
        numbers(o.budget.limit, ({ account }) => f.number(account.dailyLimit)),
        numbers(o.budget.left, ({ remaining }) => f.number(remaining)),
        column(o.budget.accountState, state),
      ]}
    />
  );
}

function BurnDownChart({ page, budget, start, burnDown }: BudgetCardProps) {
  const { o, f, now } = page;
  const { left, forecast, evenPace } = burnDown;
  const end = budget.resetsAt;
  const top = Math.max(budget.limit, ...left.map(({ calls }) => calls));
  const here = { x: now.getTime(), y: left.at(-1)?.calls ?? 0 };
  const ahead: ChartPoint[] = forecast.spentAt
    ? [here, { x: forecast.spentAt.getTime(), y: 0 }]
    : [here, { x: end.getTime(), y: forecast.leftAtEnd }];
  const hours = toHours(start, end);
  return (
    <LineChart
      id="burn-down"
      title={o.budget.chart}
      description={o.budget.describe(f.number(budget.remaining), f.time(now))}
      x={{
        min: start.getTime(),
        max: end.getTime(),
        ticks: hours
          .filter((_, i) => i % 6 === 0)
          .map((at) => ({ value: at.getTime(), text: f.time(at) })),
      }}
      y={countAxis(top, f.number)}
      series={[
        {
          name: o.budget.actual,
          look: "actual",
          points: left.map(({ at, calls }) => ({ x: at.getTime(), y: calls })),
        },
        {
          name: o.budget.pace,
          look: "pace",
          points: hours.map((at) => ({ x: at.getTime(), y: evenPace(at) })),
        },
        { name: o.budget.forecast, look: "forecast", points: ahead },
      ]}
      dot={here}
      asTable={page.m.product.asTable}
    >
      <Table
        rows={hours.filter((at) => at <= now)}
        columns={({ head, numbers }) => [
          head(o.budget.time, (at) => f.time(at)),
          numbers(o.budget.actual, (at) => f.number(leftAt(left, at))),
          numbers(o.budget.pace, (at) => f.number(evenPace(at))),
        ]}
      />
    </LineChart>
  );
}

/** Every full hour of the day, including its end. A day may have 23 or 25 hours. */
function toHours(start: Date, end: Date): Date[] {
  const hours = Math.round((end.getTime() - start.getTime()) / 3_600_000);
  return Array.from({ length: hours + 1 }, (_, i) => new Date(start.getTime() + i * 3_600_000));
}

function leftAt(left: BurnDown["left"], at: Date): number {
  return left.findLast((point) => point.at <= at)?.calls ?? 0;
}
