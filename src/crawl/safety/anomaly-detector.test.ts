import { describe, expect, it } from "vitest";
import { judge, type LatestAnswer } from "./answer-checks.ts";

const answers = (verdict: LatestAnswer["verdict"], subjects: readonly string[]): LatestAnswer[] =>
  subjects.map((subject) => ({ subject, verdict, asked: subject.startsWith("shop") ? 4 : 0 }));
const ok = (count: number) =>
  answers(
    "ok",
    Array.from({ length: count }, (_, i) => `shop ${i}`),
  );

describe("the anomaly detector", () => {
  it("B1: leaves a shop or keyword alone that fails however often, and two of them", () => {
    expect(
      judge(
        answers(
          "failed",
          Array.from({ length: 12 }, () => "shop 1"),
        ),
      ),
    ).toBe("subjects");
    const two = answers("failed", ["a", "b", "a", "b", "a", "b"]);
    expect(judge([...two, ...ok(6)])).toBe("subjects");
  });

  it("tells a failing upstream by failures of several subjects among the latest answers", () => {
    const failed = answers("failed", ["a", "b", "c", "a", "b", "c"]);
    expect(judge([...failed, ...ok(6)])).toBe("failing");
    expect(judge([...failed.slice(1), ...ok(7)])).toBe("subjects");
  });

  it("B5, U26: takes refusals for the fault of what was asked, unless nothing else succeeds", () => {
    const refused = answers("refused", ["a", "b", "c", "d", "e", "f", "g"]);
    expect(judge([...refused, ...ok(1)])).toBe("subjects");
    expect(judge(refused.slice(0, 3))).toBe("subjects");
    expect(judge(refused.slice(0, 4))).toBe("failing");
  });

  it("tells an odd upstream from an odd shop, however often that one is asked", () => {
    expect(
      judge(
        answers(
          "odd",
          Array.from({ length: 12 }, () => "shop 1"),
        ),
      ),
    ).toBe("subjects");
    expect(judge([...answers("odd", ["1", "2", "3"]), ...ok(9)])).toBe("subjects");
    expect(judge([...answers("odd", ["1", "2", "3", "4"]), ...ok(8)])).toBe("odd");
  });

  it("tells an upstream that has nothing to show from shops that have closed", () => {
    const empty = (...subjects: string[]) => answers("empty", subjects);
    const three = empty("shop 1", "shop 2", "shop 2", "keyword a", "shop 3");
    expect(judge([...three, ...ok(7)])).toBe("odd");
    expect(judge([...three.slice(0, 4), ...ok(8)])).toBe("subjects");
    expect(judge([...empty("shop 1", "shop 2"), ...ok(1), ...empty("shop 3")])).toBe("subjects");
    expect(judge(empty("keyword a", "keyword b", "keyword c", "keyword d"))).toBe("subjects");
    expect(judge([...answers("failed", ["shop 9"]), ...three])).toBe("odd");
    const ofOneProduct = three.map((answer) => ({ ...answer, asked: Math.min(1, answer.asked) }));
    expect(judge([...ofOneProduct, ...ok(7)])).toBe("subjects");
  });
});
