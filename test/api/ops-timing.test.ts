import { expect, inject, it } from "vitest";
import { absentDb, createTestApi, opsToken } from "../support/api.ts";
import { systemClock } from "../../src/lib/clock.ts";

const SAMPLES = inject("long") ? 2000 : 600;

/** Milliseconds in which half of the answers come, each kind asked in turn, so that load is shared. */
async function medians(kinds: readonly { path: string; token: string }[]): Promise<number[]> {
  let laterMs = 0;
  const api = createTestApi(absentDb(), {
    // An hour between any two guesses: none is held up for those before it.
    clock: { ...systemClock, monotonicMs: () => (laterMs += 3_600_000) },
  });
  const times = kinds.map((): number[] => []);
  for (let i = 0; i < SAMPLES; i += 1) {
    for (const [kind, { path, token }] of kinds.entries()) {
      const began = performance.now();
      const response = await api.get(path, { Authorization: `Bearer ${token}` });
      times[kind]?.push(performance.now() - began);
      expect(response.status).toBe(401);
    }
  }
  return times.map((list) => list.toSorted((a, b) => a - b)[SAMPLES / 2] ?? Infinity);
}

it("O2: how long a refusal takes does not tell whether the address exists", async () => {
  const token = "x".repeat(opsToken.length);
  const [known = 0, unknown = 0] = await medians([
    { path: "/ops/v1/budget", token },
    { path: "/ops/v1/nothing-here", token },
  ]);
  // Generous: the middle of so many hardly moves.
  expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(2);
}, 120_000);
