import { describe, expect, it } from "vitest";
import { toScenarioEvent, withSalesEnds } from "./events.ts";

const when = { day: 2, time: "00:00", owner: "demo-1" };

describe("toScenarioEvent", () => {
  it("counts from 00:00 of day 1", () => {
    expect(toScenarioEvent({ ...when, do: "close" }).atSeconds).toBe(86_400);
    expect(toScenarioEvent({ ...when, day: 1, time: "09:30", do: "close" }).atSeconds).toBe(34_200);
  });

  it.each([
    [{ ...when, do: "burn" }],
    [{ ...when, do: "sale", percent: 100 }],
    [{ ...when, do: "restock" }],
    [{ ...when, do: "rename", title: "a" }],
    [{ ...when, time: "24:00", do: "close" }],
    [{ ...when, day: 0, do: "close" }],
    [{ ...when, do: "close", unknown: 1 }],
    [null],
  ])("refuses %j", (row) => {
    expect(() => toScenarioEvent(row)).toThrow();
  });
});

describe("withSalesEnds", () => {
  it("ends a sale after its hours, in its place among the others", () => {
    const sale = toScenarioEvent({ ...when, do: "sale", percent: 20, hours: 25.5 });
    const close = toScenarioEvent({ ...when, day: 3, do: "close" });
    expect(withSalesEnds([sale, close]).map((e) => [e.do, e.day, e.time])).toEqual([
      ["sale", 2, "00:00"],
      ["close", 3, "00:00"],
      ["end_sale", 3, "01:30"],
    ]);
  });
});
