import { expect, test } from "vitest";
import { toRecords } from "./rows.ts";

test("a row becomes a record: names in camel case, named instants as dates", () => {
  const row = {
    item_id: 7,
    low30d: 5,
    seen_at: "2026-01-31 00:00:00+00",
    gone_at: null,
    at_text: "x",
  };
  type Seen = { itemId: number; low30d: number; seenAt: Date; goneAt: Date | null; atText: string };
  expect(toRecords<Seen>([row], { seenAt: true, goneAt: true })).toEqual([
    { itemId: 7, low30d: 5, seenAt: new Date("2026-01-31T00:00:00Z"), goneAt: null, atText: "x" },
  ]);
});
