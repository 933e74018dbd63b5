import { afterAll, expect } from "vitest";
import { measuredFiles, unmeasuredFiles } from "../../src/bench/scale/measured.ts";
import { watchPlaces } from "../../src/bench/scale/statements.ts";

const places = watchPlaces();

/** Every statement that a test makes Kurabe send is of a file that `kurabe bench scale` knows. */
afterAll(() => {
  const files = new Set([...places.byText.values()].map((place) => place.split(" ")[0] ?? ""));
  places.stop();
  const isKnown = (file: string) =>
    measuredFiles.includes(file) ||
    Object.keys(unmeasuredFiles).some((part) => file.startsWith(part));
  expect(
    [...files].filter((file) => !isKnown(file)),
    "statements that src/bench/scale neither sends nor lists as unmeasured",
  ).toEqual([]);
});
