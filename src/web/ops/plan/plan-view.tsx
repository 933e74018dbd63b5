import {
  readBudgetCurve,
  readPlanReport,
  readPlan,
  readPresentRules,
  type PlanRequest,
  type PlannedStep,
  type PlanReport,
} from "../../../crawl/plan-report.ts";
import { toFigure } from "../../../crawl/scoring/reason.ts";
import { readForecasts, type JudgedForecast } from "../../../crawl/forecasts.ts";
import { WideTable, Table } from "../../shared/table.tsx";
import { Card } from "../shared/frame.tsx";
import type { ConsoleDeps, OpsPage, View } from "../shared/ops-page.ts";
import { toSubject } from "../shared/subject.ts";
import { countAxis, LineChart, shareAxis } from "../chart/line-chart.tsx";
import { Figure } from "../shared/cells.tsx";

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

/** The slider's maximum as a multiple of the present limit. */
const mostTimes = 3;

interface WhatIfProps {
  page: OpsPage;
  present: PlanReport;
  whatIf: PlanReport;
  /** Freshness by calls a day, in ascending order of calls. */
  curve: readonly { callsPerDay: number; freshness: number }[];
}

/** A GET form, so that it works without scripts and results have a link. */
function WhatIf(props: WhatIfProps) {
  const { page, present, whatIf } = props;
  const { o, f } = page;
  const { callsPerDay, maxAgeDays } = whatIf.rules;
  const most = present.rules.callsPerDay * mostTimes;
  return (
    <div class="what-if">
      <form method="get" action="/ops/plan" data-what-if>
        <label for="calls-per-day">{o.plan.callsPerDay}</label>
        <div class="slider">
          <input
            id="calls-per-day"
            name="calls_per_day"
            type="range"
            min={Math.max(1, Math.round(most / 60))}
            max={most}
            step={Math.max(1, Math.round(most / 600))}
            value={callsPerDay}
          />
          <output for="calls-per-day">{f.number(callsPerDay)}</output>
        </div>
        <label for="floor-days">{o.plan.maxAgeDays}</label>
        <input
          id="floor-days"
          name="max_age_days"
          type="number"
          min="0.01"
          max="3650"
          step="any"
          value={maxAgeDays}
        />
        <p class="buttons">
          <button class="plain unscripted">{o.plan.ask}</button>
        </p>
      </form>
      <div id="what-if-answer" data-live aria-live="polite">
        <Answer {...props} />
      </div>
    </div>
  );
}

function Answer({ page, present, whatIf, curve }: WhatIfProps) {
  const { o, f } = page;
  if (present.freshNow === null || !present.forecast || !whatIf.forecast) {
    return <p class="quiet">{o.plan.empty}</p>;
  }
  const gain = (whatIf.forecast.freshness - present.forecast.freshness) * 100;
  const { maxAgeDays } = whatIf.rules;
  const { boundDays } = whatIf.forecast;
  const days = (count: number) => f.duration(count * 86_400);
  return (
    <>
      <dl class="figures">
        <Figure name={o.plan.now} value={f.percent(present.freshNow)} />
        <Figure name={o.plan.present} value={f.percent(present.forecast.freshness)} />
        <Figure
          name={o.plan.whatIfLongRun}
          class="what-if-figure"
          value={f.percent(whatIf.forecast.freshness)}
        >
          <span class="fine">
            {o.plan.points(`${gain < 0 ? "−" : "+"}${f.decimal(Math.abs(gain), 2)}`)}
          </span>
        </Figure>
        <Figure name={o.plan.bound} value={days(boundDays)} />
      </dl>
      {boundDays > maxAgeDays && (
        <p class="notice warn">{o.plan.maxAgeExceeded(days(maxAgeDays), days(boundDays))}</p>
      )}
      <Curve page={page} whatIf={whatIf} curve={curve} />
      <Promises page={page} present={present} whatIf={whatIf} />
    </>
  );
}

function Curve({ page, whatIf, curve }: Pick<WhatIfProps, "page" | "whatIf" | "curve">) {
  const { o, f } = page;
  const { callsPerDay } = whatIf.rules;
  const freshness = whatIf.forecast?.freshness ?? 0;
  return (
    <LineChart
      id="curve"
      title={o.plan.curve}
      description={o.plan.curveDescribe(f.number(callsPerDay), f.percent(freshness))}
      x={countAxis(curve.at(-1)?.callsPerDay ?? 1, f.number)}
      y={shareAxis}
      series={[
        {
          name: o.plan.freshness,
          look: "actual",
          points: curve.map((point) => ({ x: point.callsPerDay, y: point.freshness })),
        },
      ]}
      dot={{ x: callsPerDay, y: freshness }}
      asTable={page.m.product.asTable}
    >
      <Table
        rows={curve}
        columns={({ numbers }) => [
          {
            name: o.plan.callsPerDay,
            look: "number",
            isHead: true,
            cell: (point) => f.number(point.callsPerDay),
          },
          numbers(o.plan.freshness, (point) => f.percent(point.freshness)),
        ]}
      />
    </LineChart>
  );
}

function Promises({ page, present, whatIf }: Pick<WhatIfProps, "page" | "present" | "whatIf">) {
  const { o, f } = page;
  const hours = (planReport: PlanReport, share: number) => {
    const promise = planReport.forecast?.promise.find((one) => one.share === share);
    return promise ? o.plan.within(f.duration(promise.hoursP95 * 3600)) : "–";
  };
  return (
    <WideTable
      label={o.plan.promise}
      rows={present.forecast?.promise ?? []}
      columns={({ head, numbers }) => [
        head(o.plan.promise, ({ share }) =>
          share === 1 ? o.filters.all : o.plan.share(`${share * 100}%`),
        ),
        numbers(o.plan.present, ({ share }) => hours(present, share)),
        numbers(o.plan.whatIfLongRun, ({ share }) => hours(whatIf, share)),
      ]}
    />
  );
}
