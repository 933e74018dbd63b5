/**
 * The threshold follows the values of the calls made: it rises while better calls are to be had, and falls
 * while none is due. `calls`: made since the threshold is kept; the first ones count more. A threshold far
 * below the value rises at once: it dates from a time when everything had just been checked.
 */
export function nextThreshold(threshold: number, value: number, calls: number): number {
  if (threshold <= 0) return value;
  const step = Math.max(0.02, 1 / (0.3 * calls + 2));
  const ahead = Math.log(Math.max(value, 1e-300) / threshold);
  return threshold * Math.exp(step * Math.max(-1, Math.min(1, ahead)) + Math.max(0, ahead - 1) / 4);
}
