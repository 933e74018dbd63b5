import type { Forecast, ForecastRules, Target } from "./forecast.ts";
import type { Lesson } from "./lesson.ts";

/** What of the wishes cannot be kept with these calls, in words for ops. */
export function toWarnings({
  forecast,
  rules,
  target,
  targetCallsPerDay,
  lesson,
}: {
  forecast: Forecast | null;
  rules: ForecastRules;
  target: Target | null;
  targetCallsPerDay: number | null;
  lesson: Lesson | null;
}): string[] {
  const warnings: string[] = [];
  if (lesson) {
    warnings.push(
      `the upstream ended ${lesson.day} after ${lesson.allowed} calls: ${rules.callsPerDay} a day are reckoned with until a day allows more`,
    );
  }
  if (!forecast) return warnings;
  if (forecast.boundDays > rules.floorDays) {
    warnings.push(
      `the floor of ${rules.floorDays} days cannot be kept: every product is checked within ${forecast.boundDays.toFixed(1)} days`,
    );
  }
  if (target && targetCallsPerDay === null) {
    warnings.push(`no number of calls meets ${toText(target)}`);
  } else if (target && targetCallsPerDay !== null && targetCallsPerDay > rules.callsPerDay) {
    const missing = Math.ceil(targetCallsPerDay - rules.callsPerDay);
    warnings.push(`${toText(target)} needs ${missing} more calls a day`);
  }
  return warnings;
}

function toText({ minWeight, hours }: Target): string {
  return `the target (weight >= ${minWeight} within ${hours} h at p95)`;
}
