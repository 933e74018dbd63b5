import { z } from "zod";

/** Deletions lately, and those that the usual loss rates had led to expect: both fade. */
export const recentLosses = z.object({ seen: z.number(), expected: z.number(), at: z.number() });
export type RecentLosses = z.infer<typeof recentLosses>;

export const noLosses: RecentLosses = { seen: 0, expected: 0, at: 0 };

/** They count half after so many days. */
const HALVED_DAYS = 1;
/** So many deletions, as usual, are added to those seen. */
const DOUBT = 2;
const MOST = 100;

/** `expected`: by the rates that `burstOf` has multiplied. */
export function addLosses(
  old: RecentLosses,
  now: { seen: number; expected: number },
  at: number,
): RecentLosses {
  const fade = 0.5 ** (Math.max(0, at - old.at) / HALVED_DAYS);
  return {
    seen: old.seen * fade + now.seen,
    expected: old.expected * fade + now.expected / burstOf(old),
    at: Math.max(at, old.at),
  };
}

/** Shops of a marketplace delete in bursts, often many of them together: by how much all loss rates are to be multiplied. */
export function burstOf({ seen, expected }: RecentLosses): number {
  return Math.min(MOST, Math.max(1 / MOST, (seen + DOUBT) / (expected + DOUBT)));
}
