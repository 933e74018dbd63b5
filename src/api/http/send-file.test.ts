import { expect, it } from "vitest";
import { toRange } from "./send-file.ts";

it.each([
  [undefined, null],
  ["bytes=0-", { start: 0, end: 99 }],
  ["bytes=10-19", { start: 10, end: 19 }],
  ["bytes=10-1000", { start: 10, end: 99 }],
  ["bytes=-5", { start: 95, end: 99 }],
  ["bytes=-500", { start: 0, end: 99 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=20-10", null],
  ["bytes=-", null],
  ["bytes=0-1,5-6", null],
  ["items=0-1", null],
])("reads the range %s of 100 bytes", (header, range) => {
  expect(toRange(header, 100)).toEqual(range);
});

it("has no range of an empty file", () => {
  expect(toRange("bytes=0-", 0)).toBe("unsatisfiable");
  expect(toRange("bytes=-1", 0)).toBe("unsatisfiable");
});
