import type { CommandContext } from "./context.ts";
import { readCoverage } from "../crawl/keywords/proposals.ts";
import { hasKeywords, withoutKeywords } from "../crawl/learning/keywords.ts";
import { readPlanReport, readPlan, readPresentRules, toWarningText } from "../crawl/plan-report.ts";
import { toFigure, toReasonText } from "../crawl/scoring/reason.ts";
import { systemClock } from "../lib/clock.ts";
import { budgetRules } from "../service/from-config.ts";
import { withResources } from "./maintenance.ts";

const defaultCalls = 30;

/** Prints the next calls with their values and reasons, and the expected freshness. Spends nothing. */
export function plan(context: CommandContext): Promise<number> {
  return withResources(context, async (resources) => {
    const db = resources.pool("plan", { maxConnections: 2, statementTimeoutMs: 60_000 });
    const now = systemClock.now();
    const budget = budgetRules(context.config);
    const request = await readPresentRules(db, budget, now);
    const steps = await readPlan(db, now, { most: defaultCalls, ...budget });
    for (const step of steps) {
      const value = step.value === null ? "due" : toFigure(step.value);
      context.stdout.write(
        `${value.padStart(9)}  ${step.job.padEnd(10)}  ${toReasonText(step.why)}\n`,
      );
    }
    const { freshNow, forecast, rules, warnings } = await readPlanReport(db, now, request);
    if (freshNow === null || !forecast) {
      context.stdout.write("nothing is stored yet\n");
      if (!(await hasKeywords(db))) context.stdout.write(`${withoutKeywords}\n`);
      return 0;
    }
    const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
    context.stdout.write(
      `\n${rules.products} products; expected to equal the upstream's now: ${percent(freshNow)}; ` +
        `with ${rules.callsPerDay} calls a day in the long run: ${percent(forecast.freshness)}\n`,
    );
    for (const { minWeight, share, hoursP95 } of forecast.promise) {
      context.stdout.write(
        `weight >= ${minWeight.toFixed(2)} (${percent(share)} of products): re-checked within ${toDuration(hoursP95)} at p95\n`,
      );
    }
    context.stdout.write(`every product: within ${forecast.boundDays.toFixed(1)} days\n`);
    const { share, error, shown } = await readCoverage(db);
    if (share !== null) {
      context.stdout.write(
        `held of what the upstream sells: about ${percent(share)}${error === null ? "" : ` ± ${percent(error)}`}, by ${shown} products that new keywords showed\n`,
      );
    }
    for (const warning of warnings) context.stdout.write(`warning: ${toWarningText(warning)}\n`);
    return 0;
  });
}

function toDuration(hours: number): string {
  return hours < 1 ? `${Math.ceil(hours * 60)} min` : `${hours.toFixed(1)} h`;
}
