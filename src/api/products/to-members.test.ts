import { expect, test } from "vitest";
import { toMembers } from "./to-members.ts";

test("a record becomes the members of an answer: names in snake case, instants as text", () => {
  const seenAt = new Date("2026-01-31T00:00:00Z");
  const record = { itemId: 7, low30d: 5, seenAt, goneAt: null, detail: { itemId: 8 } };
  expect(toMembers(record)).toEqual({
    item_id: 7,
    low30d: 5,
    seen_at: "2026-01-31T00:00:00Z",
    gone_at: null,
    detail: { itemId: 8 },
  });
});
