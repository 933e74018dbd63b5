import type { Clock } from "../../lib/clock.ts";

/** How long a call under way may still take after the stop signal. */
const GRACE_MS = 3000;

/** For each stop signal one signal, which aborts after the grace period; all lanes share it. */
export function createAbandon(clock: Clock): (stop: AbortSignal) => AbortSignal {
  const known = new WeakMap<AbortSignal, AbortSignal>();
  return (stop) => {
    const existing = known.get(stop);
    if (existing) return existing;
    const abandon = new AbortController();
    stop.addEventListener("abort", () => void clock.sleep(GRACE_MS).then(() => abandon.abort()), {
      once: true,
    });
    known.set(stop, abandon.signal);
    return abandon.signal;
  };
}
