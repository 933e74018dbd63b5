import { WideTable } from "../../shared/table.tsx";
import {
  readBudgetCurve,
  readPlanReport,
  readPlan,
  readPresentRules,
  type PlanRequest,
  type PlannedStep,
} from "../../../crawl/plan-report.ts";
import { toFigure } from "../../../crawl/scoring/reason.ts";
import { readForecasts, type JudgedForecast } from "../../../crawl/forecasts.ts";
import { Card } from "../shared/frame.tsx";
import type { ConsoleDeps, OpsPage, View } from "../shared/ops-page.ts";
import { toSubject } from "../shared/subject.ts";
import { mostTimes, WhatIf } from "./what-if.tsx";

const callsShown = 25;
/** About two weeks. */
const forecastsShown = 50;
const trustMs = 60_000;
/** Points of the curve, as shares of the present limit. */
const curveAt = [0.02, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3];

/** The next calls with their reasons, and the freshness with another budget. Spends nothing. */
export function createPlan({ opsDb, cache, clock, budget }: ConsoleDeps): View {
  const { dailyLimit } = budget;
  const curve = cache.remember("budget curve", trustMs, async () =>
    readBudgetCurve(
      opsDb,
      clock.now(),
      await readPresentRules(opsDb, budget, clock.now()),
      curveAt.map((times) => Math.max(1, Math.round(dailyLimit * times))),
    ),
  );
  return async (page, c) => {
    const { o } = page;
    const present = await readPresentRules(opsDb, budget, page.now);
    const request = toPlanRequest(c.req.query(), present);
    const steps = await readPlan(opsDb, page.now, { most: callsShown, ...budget });
    const planReport = await readPlanReport(opsDb, page.now, present);
    const isSame =
      request.callsPerDay === present.callsPerDay && request.maxAgeDays === present.maxAgeDays;
    const whatIf = isSame ? planReport : await readPlanReport(opsDb, page.now, request);
    return (
      <>
        <h1>{o.tabs.plan}</h1>
        <p class="quiet">{o.plan.lead}</p>
        <Card id="what-if" title={o.plan.whatIf}>
          <WhatIf page={page} present={planReport} whatIf={whatIf} curve={await curve()} />
          {whatIf.warnings.map((warning) => (
            <p class="notice warn">{o.plan.warning(warning)}</p>
          ))}
        </Card>
        <Card id="next-calls" title={o.plan.next} live>
          <NextCalls page={page} steps={steps} />
        </Card>
        <Card id="forecasts" title={o.plan.forecasts.title}>
          <Forecasts page={page} forecasts={await readForecasts(opsDb, forecastsShown)} />
        </Card>
      </>
    );
  };
}

function toPlanRequest(query: Record<string, string>, present: PlanRequest): PlanRequest {
  const within = (text: string | undefined, min: number, max: number, otherwise: number) => {
    const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
    return Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : otherwise;
  };
  const most = present.callsPerDay * mostTimes;
  const callsPerDay = Math.round(within(query.calls_per_day, 1, most, present.callsPerDay));
  return {
    ...present,
    callsPerDay,
    maxAgeDays: within(query.max_age_days, 0.01, 3650, present.maxAgeDays),
    observedLimit: callsPerDay === present.callsPerDay ? present.observedLimit : null,
  };
}

function NextCalls({ page, steps }: { page: OpsPage; steps: readonly PlannedStep[] }) {
  const { o } = page;
  if (steps.length === 0) return <p class="quiet">{o.plan.nextEmpty}</p>;
  return (
    <>
      <WideTable
        label={o.plan.next}
        rows={steps}
        columns={({ column, numbers }) => [
          column(o.purchases.job, (step) => <code>{step.job}</code>),
          column(o.plan.what, (step) => toSubject(page, step)),
          column(o.plan.why, (step) => o.plan.reason(step.why)),
          numbers(o.plan.value, ({ value }) => (value === null ? o.plan.due : toFigure(value))),
        ]}
      />
      <p class="fine">{o.plan.worthHint}</p>
    </>
  );
}

function Forecasts({ page, forecasts }: { page: OpsPage; forecasts: readonly JudgedForecast[] }) {
  const { o, f } = page;
  const words = o.plan.forecasts;
  if (forecasts.length === 0) return <p class="quiet">{words.none}</p>;
  const held = forecasts.filter((one) => one.held).length;
  return (
    <>
      <p>{words.lead(f.number(held), f.number(forecasts.length))}</p>
      <WideTable
        label={words.title}
        rows={forecasts}
        columns={({ column, numbers }) => [
          column(words.day, (one) => one.madeOn),
          column(words.chance, (one) => `${f.percent(one.chanceFrom)}–${f.percent(one.chanceTo)}`),
          numbers(words.products, (one) => f.number(one.products)),
          numbers(words.expected, (one) => `${f.decimal(one.low, 1)}–${f.decimal(one.high, 1)}`),
          numbers(words.changed, (one) => f.number(one.changes)),
          column(words.held, (one) => (one.held ? words.yes : words.no)),
        ]}
      />
    </>
  );
}
