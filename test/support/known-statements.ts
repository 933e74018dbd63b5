import { afterAll, expect } from "vitest";
import { measuredFiles, unmeasuredFiles } from "../../src/bench/scale/measured.ts";
import { places } from "./statement-places.ts";

/** Every statement that a test makes Kurabe send is of a file that `kurabe bench scale` knows. */
afterAll(() => {
  const files = new Set([...places.byText.values()].map((place) => place.split(" ")[0] ?? ""));
  places.byText.clear();
  const isKnown = (file: string) =>
    measuredFiles.includes(file) ||
    Object.keys(unmeasuredFiles).some((part) => file.startsWith(part));
  expect(
    [...files].filter((file) => !isKnown(file)),
    "statements that src/bench/scale neither sends nor lists as unmeasured",
  ).toEqual([]);
});
