import type { PlanReport } from "../../../crawl/plan-report.ts";
import { Table, WideTable } from "../../shared/table.tsx";
import { countAxis, LineChart, shareAxis } from "../chart/line-chart.tsx";
import type { OpsPage } from "../shared/ops-page.ts";
import { Figure } from "../shared/cells.tsx";

/** The slider's maximum as a multiple of the present limit. */
export const mostTimes = 3;

interface WhatIfProps {
  page: OpsPage;
  present: PlanReport;
  whatIf: PlanReport;
  /** Freshness by calls a day, in ascending order of calls. */
  curve: readonly { callsPerDay: number; freshness: number }[];
}

/** A GET form, so that it works without scripts and results have a link. */
export function WhatIf(props: WhatIfProps) {
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
