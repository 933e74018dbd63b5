import fc from "fast-check";
import { expect, it } from "vitest";
import { readCursor, writeCursor } from "./change-cursor.ts";

const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const hex = fc.constantFrom("0", "7", "9", "a", "f");
const cursors = fc.record({
  epoch: fc.array(hex, { minLength: 12, maxLength: 12 }).map((digits) => digits.join("")),
  position: count,
  listedTo: fc.option(count),
});

it("reads what it has written", () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      expect(readCursor(writeCursor(cursor))).toEqual(cursor);
    }),
  );
});

it("reads nothing else, also where it decodes to the same", () => {
  const text = writeCursor({ epoch: "0123456789ab", position: 7, listedTo: null });
  const others = ["", "7", "x".repeat(100), `${text}=`, `${text}.`, ` ${text}`, text.slice(1)];
  for (const other of others) expect([other, readCursor(other)]).toEqual([other, null]);
  const padded = Buffer.from("0123456789ab.007").toString("base64url");
  expect(readCursor(padded)).toBeNull();
  const huge = Buffer.from("0123456789ab.9999999999999999").toString("base64url");
  expect(readCursor(huge)).toBeNull();
});
