/**
 * The value of one check of one product. Its change rate is uncertain: Gamma(shape, days), mean `shape
 * / days` changes a day. All functions are for weight 1; values are days of freshness.
 */

/** Chance that nothing has changed after `tau` days: `(1 + tau/days)^-shape`. */
export function unchangedChance(shape: number, days: number, tau: number): number {
  return Math.exp(-shape * Math.log1p(tau / days));
}

/** For how many of `tau` days it is expected to stay as it is: the integral of `unchangedChance`. */
export function unchangedDays(shape: number, days: number, tau: number): number {
  if (!(tau > 0)) return 0;
  const log = Math.log1p(tau / days);
  const x = (shape - 1) * log;
  return days * log * (Math.abs(x) < 1e-9 ? 1 - x / 2 : -Math.expm1(-x) / x);
}

/**
 * The value of a check after `tau` days: the integral over these days of (chance of being unchanged
 * then, minus the chance now). Small for products that never change and for those that change faster
 * than checks can follow; 0 at 0, and it never falls with `tau`.
 */
export function checkValue(shape: number, days: number, tau: number): number {
  if (!(tau > 0)) return 0;
  const u = tau / days;
  // The closed form subtracts nearly equal numbers here; the series is exact to 1e-9.
  if ((shape + 2) * u < 1e-3) {
    return days * shape * u * u * (0.5 - (shape + 1) * u * (1 / 3 - ((shape + 2) * u) / 8));
  }
  return Math.max(0, unchangedDays(shape, days, tau) - tau * unchangedChance(shape, days, tau));
}

/** What no page shows now would be found so much later, at most. */
export const foundLaterDays = 21;

/**
 * The value of being shown that it changed within `changing` days and not in the `quiet` days after them: the chance of
 * it, times the days for which it then stays as it is. Both depend on its rate, which is uncertain: what has changed
 * just now probably changes often, and will soon change again.
 */
export function findValue({
  shape,
  days,
  quiet,
  changing,
  later = foundLaterDays,
}: Finding): number {
  const until = (tau: number) => unchangedDays(shape, days, tau);
  const found =
    until(quiet + later) - until(quiet) - until(quiet + changing + later) + until(quiet + changing);
  return Math.max(0, found);
}

interface Finding {
  shape: number;
  days: number;
  quiet: number;
  changing: number;
  /** If it is not shown now, it is found after so many days. */
  later?: number;
}

/** No due time is further in the future than this, in days. */
export const horizonDays = 3650;

/** After how many days a check has this value: the inverse of `checkValue`; Infinity beyond the horizon. */
export function daysUntilValue(shape: number, days: number, value: number): number {
  if (value <= 0) return 0;
  if (checkValue(shape, days, horizonDays) < value) return Infinity;
  let low = 0;
  let high = horizonDays;
  // Below the root the curve is steeper than its parabola, so the parabola's root is a lower bound to
  // start at.
  let tau = Math.min(horizonDays, Math.sqrt((2 * value * days) / shape));
  for (let step = 0; step < 60; step += 1) {
    const error = checkValue(shape, days, tau) - value;
    if (Math.abs(error) <= 1e-10 * value) return tau;
    if (error < 0) low = tau;
    else high = tau;
    const slope = ((tau * shape) / days) * Math.exp(-(shape + 1) * Math.log1p(tau / days));
    const newton = tau - error / slope;
    tau = newton > low && newton < high ? newton : (low + high) / 2;
  }
  return tau;
}
