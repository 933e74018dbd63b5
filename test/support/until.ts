import { setTimeout as delay } from "node:timers/promises";

export interface UntilOptions {
  timeoutMs?: number;
  /** The condition, for the failure's message. */
  what: string;
}

/**
 * The first truthy answer of `check`, asked every 20 ms at first, and until the deadline the more
 * seldom the longer it takes (a twentieth of the time so far, 200 ms at most): asking is work too.
 * A check that throws counts as not yet; the failure says what was seen last.
 */
export async function until<T>(
  check: () => T | Promise<T>,
  options: UntilOptions,
): Promise<Exclude<T, false | null | undefined | 0 | "">> {
  const timeoutMs = options.timeoutMs ?? 120_000;
  const beganMs = performance.now();
  const waitedMs = () => performance.now() - beganMs;
  let seen: unknown;
  do {
    try {
      const answer = await check();
      if (isTruthy(answer)) return answer;
      seen = answer;
    } catch (error) {
      seen = error;
    }
    await delay(Math.min(200, Math.max(20, waitedMs() / 20)));
  } while (waitedMs() < timeoutMs);
  throw new Error(`waited ${timeoutMs} ms for ${options.what}; last seen: ${show(seen)}`, {
    cause: seen,
  });
}

function isTruthy<T>(value: T): value is Exclude<T, false | null | undefined | 0 | ""> {
  return Boolean(value);
}

function show(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return JSON.stringify(value) ?? String(value);
}
