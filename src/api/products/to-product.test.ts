import { describe, expect, it } from "vitest";
import { toPrintedGtin } from "../../catalog/gtin.ts";

describe("barcodes", () => {
  it("prints them as people know them", () => {
    expect(toPrintedGtin("04901234567894")).toBe("4901234567894");
    expect(toPrintedGtin("00000049123456")).toBe("49123456");
    expect(toPrintedGtin("14901234567891")).toBe("14901234567891");
  });
});
