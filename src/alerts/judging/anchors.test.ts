import { expect, it } from "vitest";
import { anchorsOf, nameOf } from "./anchors.ts";

it("anchors have keys that an index takes: names that begin alike share a cut one", () => {
  const begin = "棚".repeat(1000);
  const anchors = anchorsOf({ category: [`${begin}1`, `${begin}2`] }, () => 1);
  expect(anchors).toEqual([{ kind: "category", key: "棚".repeat(200), also: null }]);
  expect(nameOf("category", `${begin}1`)).toBe(nameOf("category", "棚".repeat(200)));
});
