import {
  readFreshnessBands,
  readFreshnessDays,
  type FreshnessDay,
  readCatalogStatus,
} from "../../../catalog/status/status.ts";
import { countWaiting } from "../../../crawl/backoff-list.ts";
import { readBudget } from "../../../crawl/budget/budget-today.ts";
import { toBurnDown } from "../../../crawl/budget/burn-down.ts";
import { listJobs } from "../../../crawl/budget/jobs.ts";
import { windowsBetween } from "../../../crawl/budget/open-time.ts";
import { findCalls } from "../../../crawl/budget/call-log.ts";
import {
  readPurchases,
  readSpending,
  readSpentDays,
  type Purchase,
  type SpentDay,
} from "../../../crawl/budget/usage-report.ts";
import { readFreshShare } from "../../../crawl/plan-report.ts";
import { dayStart } from "../../../lib/calendar.ts";
import { Table, WideTable } from "../../shared/table.tsx";
import { WaitingNotice } from "../calls/backoffs-view.tsx";
import { Calls } from "../calls/calls.tsx";
import { Card, tabPaths } from "../shared/frame.tsx";
import type { ConsoleDeps, OpsPage, View } from "../shared/ops-page.ts";
import { DayRangeNav, dayRanges, readDayRange } from "../shared/choices.tsx";
import { countAxis, LineChart, stepAxis } from "../chart/line-chart.tsx";
import { Share } from "../shared/cells.tsx";
import { BudgetCard } from "./budget-card.tsx";
import { FreshnessCard } from "./freshness-card.tsx";

const stepMs = 600_000;
const latestCalls = 12;
/** These queries read the whole catalogue, so they are cached for this long. */
const trustNowMs = 15_000;
const trustDaysMs = 300_000;

/** Today: the calls left, their yield, and the freshness of the catalogue. */
export function createToday(deps: ConsoleDeps): View {
  const { opsDb, cache, clock, budget: rules } = deps;
  const freshNow = cache.remember("freshness now", trustNowMs, async () => {
    const [status, bands, share] = await Promise.all([
      readCatalogStatus(opsDb, clock.now()),
      readFreshnessBands(opsDb, clock.now()),
      readFreshShare(opsDb, clock.now(), rules),
    ]);
    return { status, bands, share };
  });
  const freshDays = cache.open<FreshnessDay[]>("freshness by day", trustDaysMs);
  return async (page, c) => {
    const range = readDayRange(c);
    const daysShown = dayRanges[range];
    const today = await readToday(deps, page);
    const [waiting, purchases, spentDays, { items: calls }, now, days] = await Promise.all([
      countWaiting(opsDb, page.now),
      readPurchases(opsDb, today.budget.day),
      readSpentDays(opsDb, daysShown),
      findCalls(opsDb, { limit: latestCalls }),
      freshNow(),
      freshDays.fetch(range, () => readFreshnessDays(opsDb, clock.now(), daysShown)),
    ]);
    const { o } = page;
    const nav = (of: string) => (
      <DayRangeNav page={page} path={tabPaths.today} of={of} chosen={range} />
    );
    return (
      <>
        <h1 class="hidden">{o.tabs.today}</h1>
        <div id="backoffs-today" data-live>
          <WaitingNotice page={page} waiting={waiting} />
        </div>
        <div class="grid">
          <Card id="budget" title={o.budget.title} live>
            <BudgetCard page={page} {...today} />
          </Card>
          <Card id="freshness" title={o.fresh.title} live>
            <FreshnessCard page={page} {...now} days={days} nav={nav(o.fresh.over)} />
          </Card>
        </div>
        <Card id="purchases" title={o.purchases.title} live>
          <Purchases page={page} purchases={purchases} />
        </Card>
        <div class="grid">
          <Card id="calls" title={o.calls.title} live>
            <Calls page={page} calls={calls} />
          </Card>
          <Card id="days" title={o.days.title} live>
            {nav(o.days.title)}
            <SpentDays page={page} days={spentDays} />
          </Card>
        </div>
      </>
    );
  };
}

async function readToday({ opsDb, budget: rules }: ConsoleDeps, { now, crawl }: OpsPage) {
  const budget = await readBudget(opsDb, now, rules);
  const start = dayStart(now, budget.timezone);
  const spending = await readSpending(opsDb, { from: start, to: budget.resetsAt, stepMs });
  const isStopped = crawl.paused || budget.refusedAt !== null;
  const windows = windowsBetween(await listJobs(opsDb), rules.firesOf, start, budget.resetsAt);
  const given = { budget, dayStart: start, now, spending, stepMs, isStopped, windows };
  const burnDown = toBurnDown(given);
  return { budget, start, burnDown };
}

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
function Purchases({ page, purchases }: { page: OpsPage; purchases: readonly Purchase[] }) {
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
function SpentDays({ page, days }: { page: OpsPage; days: readonly SpentDay[] }) {
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
