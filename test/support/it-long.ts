import { inject, it } from "vitest";

/**
 * A test of `npm run test:long` alone. `npm test` has another one that shows the same in less time, or shows
 * the usual case of what this one shows in many.
 */
export function itLong(name: string, work: () => Promise<void>, timeoutMs?: number): void {
  if (inject("long")) it(name, work, timeoutMs);
}
