import { setTimeout as delay } from "node:timers/promises";

export interface UntilOptions {
  timeoutMs?: number;
  /** The condition, for the failure's message. */
  what: string;
}

/**
 * The first truthy result of `check`, called every 20 ms until the deadline. A check that throws
 * counts as not yet. The failure shows the last result.
 */
export async function until<T>(
  check: () => T | Promise<T>,
  options: UntilOptions,
): Promise<Exclude<T, false | null | undefined | 0 | "">> {
  const timeoutMs = options.timeoutMs ?? 120_000;
  const deadlineMs = performance.now() + timeoutMs;
  let seen: unknown;
  do {
    try {
      const answer = await check();
      if (isTruthy(answer)) return answer;
      seen = answer;
    } catch (error) {
      seen = error;
    }
    await delay(20);
  } while (performance.now() < deadlineMs);
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
