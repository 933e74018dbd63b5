import { afterAll, expect } from "vitest";
import { isUnmeasured, measuredFiles } from "./measured-files.ts";
import { places } from "./statement-places.ts";

/** Every statement that a test makes Kurabe send is of a file that `kurabe bench scale` knows. */
afterAll(() => {
  const files = new Set([...places.byText.values()].map((place) => place.split(" ")[0] ?? ""));
  places.byText.clear();
  const isKnown = (file: string) => measuredFiles.includes(file) || isUnmeasured(file);
  expect(
    [...files].filter((file) => !isKnown(file)),
    "statements that src/bench/scale neither sends nor lists as unmeasured",
  ).toEqual([]);
});
