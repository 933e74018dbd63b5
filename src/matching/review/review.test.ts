import { expect, it } from "vitest";
import { toReviewPosition } from "./review.ts";

it("reads positions with all ids that there can be, and none that is no id", () => {
  const greatest = Number.MAX_SAFE_INTEGER;
  const position = { priority: 1.5, a: greatest - 1, b: greatest };
  expect(toReviewPosition(`1.5_${greatest - 1}_${greatest}`)).toEqual(position);
  for (const text of [
    "1.5_1_9007199254740992",
    "1.5_12345678901234567_1",
    "1.5_1",
    "1_1_1_1",
    "",
  ]) {
    expect(toReviewPosition(text)).toBeNull();
  }
});
