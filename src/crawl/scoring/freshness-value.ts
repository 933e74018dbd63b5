/**
 * What one look at one product is worth. Its change rate is uncertain: Gamma(shape, days), mean
 * `shape / days` changes a day. All functions here are for weight 1; worth is in days of freshness.
 */

/** Chance that nothing has changed after `tau` days: `(1 + tau/days)^-shape`. */
export function unchangedChance(shape: number, days: number, tau: number): number {
  return Math.exp(-shape * Math.log1p(tau / days));
}

/**
 * The index of a look after `tau` days: the integral over the past of (chance of being unchanged
 * then, less the chance now). Small both for what never changes and for what changes faster than
 * anyone can follow; 0 at 0, and never falls with `tau`.
 */
export function checkValue(shape: number, days: number, tau: number): number {
  if (!(tau > 0)) return 0;
  const u = tau / days;
  // The closed form subtracts nearly equal numbers here; the series is exact to 1e-9.
  if ((shape + 2) * u < 1e-3) {
    return days * shape * u * u * (0.5 - (shape + 1) * u * (1 / 3 - ((shape + 2) * u) / 8));
  }
  const log = Math.log1p(u);
  const x = (shape - 1) * log;
  const mean = Math.abs(x) < 1e-9 ? 1 - x / 2 : -Math.expm1(-x) / x;
  return Math.max(0, days * log * mean - tau * Math.exp(-shape * log));
}

/** No moment is set further ahead than this, in days. */
export const HORIZON_DAYS = 3650;

/** After how many days a check is worth `worth`: the inverse of `checkValue`; Infinity beyond the horizon. */
export function daysUntilValue(shape: number, days: number, value: number): number {
  if (value <= 0) return 0;
  if (checkValue(shape, days, HORIZON_DAYS) < value) return Infinity;
  let low = 0;
  let high = HORIZON_DAYS;
  // Below the true value of the root the curve is steeper than its parabola: a lower bound to start at.
  let tau = Math.min(HORIZON_DAYS, Math.sqrt((2 * value * days) / shape));
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
