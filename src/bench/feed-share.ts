import { BATCH } from "../crawl/scoring/scoring.ts";
import type { Policy } from "./run.ts";

/**
 * Adds a feed to a policy without one, so that it finds new products: one in `every` calls is a page of
 * newest changes (0: none). A keyword is scanned while its pages show changes; then the next keyword
 * has its turn.
 */
export function withFeedShare(policy: Policy, keywords: number, every: number): Policy {
  if (every === 0) return policy;
  let calls = 0;
  let keyword = 0;
  let start = 0;
  return {
    choose(now) {
      calls += 1;
      return calls % every === 0
        ? { kind: "search", keyword, order: "modified", start }
        : policy.choose(now);
    },
    learn(call, answer, now) {
      policy.learn(call, answer, now);
      if (call.kind === "refresh") return;
      const goesOn = answer.seen.some((sighting) => sighting.fate !== "unchanged");
      start = goesOn ? start + BATCH : 0;
      if (!goesOn) keyword = (keyword + 1) % keywords;
    },
  };
}
