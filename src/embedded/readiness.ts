import type { Clock } from "../lib/clock.ts";

/**
 * The state of a server: `starting`: alive, still starting (crash recovery); `foreign`: not ours, or
 * with other credentials or another version; `silent`: no answer.
 */
export type Answer = "ready" | "starting" | "foreign" | "silent";

export type Readiness = Exclude<Answer, "starting"> | "ended";

export interface ReadinessOptions {
  ask(): Promise<Answer>;
  hasEnded(): boolean;
  /** How long it may be silent. */
  silentMs: number;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

/** Crash recovery of a large database may take minutes; nothing takes this long. */
const STARTING_LIMIT_MS = 600_000;

/** Asks until the server is ready, proves foreign, has ended, or has been silent for too long. */
export async function waitForServer(options: ReadinessOptions): Promise<Readiness> {
  const { ask, hasEnded, silentMs, clock, signal } = options;
  const beganMs = clock.monotonicMs();
  let heardMs = beganMs;
  for (;;) {
    signal?.throwIfAborted();
    if (hasEnded()) return "ended";
    const answer = await ask();
    const nowMs = clock.monotonicMs();
    if (answer === "ready" || answer === "foreign") return hasEnded() ? "ended" : answer;
    if (answer === "starting") heardMs = nowMs;
    if (nowMs - heardMs > silentMs || nowMs - beganMs > STARTING_LIMIT_MS) return "silent";
    await clock.sleep(40, signal);
  }
}
