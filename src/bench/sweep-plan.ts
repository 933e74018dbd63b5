import { nextScanPlanAt, planScans } from "../crawl/scoring/scan-intervals.ts";
import type { Memory, SimItem } from "./memory.ts";

/** Items looked at of each keyword to judge how it is best followed. */
const SAMPLE = 100;

export interface SweepPlan {
  countCall(): void;
  /** Decides from time to time how often each keyword is to be swept; `fill`: of calls for single items. */
  renew(now: number, fill: number): void;
}

export function createSweepPlan(memory: Memory, callsPerDay: number): SweepPlan {
  const { items, keywords } = memory;
  let beganAt = NaN;
  let renewedAt = NaN;
  let nextAt = -Infinity;
  let spent = 0;
  return {
    countCall() {
      spent += 1;
    },
    renew(now, fill) {
      if (now < nextAt) return;
      // A day may turn out shorter than agreed: what it gave is what counts.
      const hasPlan = Number.isFinite(renewedAt);
      if (!hasPlan) beganAt = now;
      nextAt = nextScanPlanAt(beganAt, now);
      const calls = hasPlan ? Math.max(1, spent) / (now - renewedAt) : callsPerDay;
      renewedAt = now;
      spent = 0;
      const members: SimItem[][] = [...keywords, null].map(() => []);
      for (const item of items) {
        if (item) members[item.keyword?.keywordId ?? keywords.length]?.push(item);
      }
      const followed = members.map((all, k) => {
        const keyword = keywords[k];
        const stride = Math.max(1, Math.floor(all.length / SAMPLE));
        return {
          keyword: keyword ?? null,
          sample: all.filter((_, i) => i % stride === 0),
          found: all.length,
          isSwept: keyword && hasPlan ? Number.isFinite(keyword.scanIntervalDays) : null,
          fill,
        };
      });
      const sweeps = planScans(followed, calls);
      for (const [k, keyword] of keywords.entries()) {
        keyword.scanIntervalDays = sweeps[k] ?? Infinity;
      }
    },
  };
}
