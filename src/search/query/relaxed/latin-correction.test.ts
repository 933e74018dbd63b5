import { expect, it } from "vitest";
import { distanceOf } from "./correction.ts";
import { wordsMeantBy } from "./latin-correction.ts";

it.each([
  ["gardne", "garden"],
  ["agrden", "garden"],
  ["gaden", "garden"],
  ["garde", "garden"],
  ["gardden", "garden"],
  ["gsrden", "garden"],
  ["blck", "black"],
  ["arden", "garden"],
  ["ggarden", "garden"],
  ["dgarden", "garden"],
  ["fhampoo", "shampoo"],
])("%s may be a typing error for %s", (typed, meant) => {
  const words = wordsMeantBy(typed, true);
  expect(words).toContain(meant);
  expect(words.filter((word) => distanceOf(typed, word) !== 1)).toEqual([]);
});

it.each([
  ["barden", "garden"],
  ["pine", "pipe"],
  ["ppie", "pipe"],
  ["lamp", "clamp"],
])("%s is not taken for %s", (typed, other) => {
  expect(wordsMeantBy(typed, true)).not.toContain(other);
});

it.each([
  ["barden", "garden"],
  ["lamp", "clamp"],
])("beside another word, %s may be a typing error for %s", (typed, meant) => {
  expect(wordsMeantBy(typed, false)).toContain(meant);
});
