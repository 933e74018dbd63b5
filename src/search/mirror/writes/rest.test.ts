import { describe, expect, it } from "vitest";
import { systemClock } from "../../../lib/clock.ts";
import { createRest } from "./rest.ts";

function restAt() {
  let ms = 1000;
  const rest = createRest({ ...systemClock, monotonicMs: () => ms });
  return { rest, pass: (more: number) => void (ms += more) };
}

describe("the rest between small batches", () => {
  it("lasts three times as long as the engine took, for its own index alone", () => {
    const { rest, pass } = restAt();
    expect(rest.isResting("a")).toBe(false);
    rest.sent("a", true);
    pass(400);
    rest.done("a");
    pass(1199);
    expect(rest.isResting("a")).toBe(true);
    expect(rest.isResting("b")).toBe(false);
    pass(1);
    expect(rest.isResting("a")).toBe(false);
  });

  it("ends after ten seconds, and there is none after what another process has sent", () => {
    const { rest, pass } = restAt();
    rest.done("a");
    expect(rest.isResting("a")).toBe(false);
    rest.sent("a", true);
    pass(3_600_000);
    rest.done("a");
    pass(9999);
    expect(rest.isResting("a")).toBe(true);
    pass(1);
    expect(rest.isResting("a")).toBe(false);
  });

  it("is none after a full batch", () => {
    const { rest, pass } = restAt();
    rest.sent("a", true);
    rest.sent("a", false);
    pass(2000);
    rest.done("a");
    expect(rest.isResting("a")).toBe(false);
  });
});
