import { BATCH } from "../crawl/scoring/scoring.ts";
import type { Policy } from "./run.ts";

/**
 * Gives a policy that has no feed of its own one, so that it learns of new products: every so many
 * calls a page of newest changes. A keyword is scanned for as long as its pages bring news, then it
 * is the next one's turn. `every` 0: none.
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
