import { z } from "@hono/zod-openapi";
import { expect, test } from "vitest";
import { membersOf, toMembers } from "./to-members.ts";

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

test("an answer has only the members that its schema names", () => {
  const schema = z.object({ item_id: z.int(), state: z.string() });
  expect(membersOf(schema, { itemId: 7, secret: "x", toString: 1 })).toEqual({ item_id: 7 });
});
