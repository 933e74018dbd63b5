import {
  readFreshnessBands,
  readFreshnessDays,
  type FreshnessDay,
} from "../../../catalog/status/freshness.ts";
import { readCatalogStatus } from "../../../catalog/status/status.ts";
import { countWaiting } from "../../../crawl/backoff-list.ts";
import { readBudget } from "../../../crawl/budget/budget-today.ts";
import { toBurnDown } from "../../../crawl/budget/burn-down.ts";
import { listJobs } from "../../../crawl/budget/jobs.ts";
import { windowsBetween } from "../../../crawl/budget/open-time.ts";
import { findCalls } from "../../../crawl/budget/call-log.ts";
import { readPurchases, readSpending, readSpentDays } from "../../../crawl/budget/usage-report.ts";
import { readFreshShare } from "../../../crawl/plan-report.ts";
import { dayStart } from "../../../lib/calendar.ts";
import { WaitingNotice } from "../calls/backoffs-view.tsx";
import { BudgetCard } from "./budget-card.tsx";
import { Calls } from "../calls/calls.tsx";
import { Card, tabPaths } from "../shared/frame.tsx";
import { FreshnessCard } from "./freshness-card.tsx";
import type { ConsoleDeps, OpsPage, View } from "../shared/ops-page.ts";
import { DayRangeNav, dayRanges, readDayRange } from "../shared/choices.tsx";
import { Purchases, SpentDays } from "./use-of-calls.tsx";

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
