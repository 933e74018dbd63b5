import { expect, it } from "vitest";
import { completionsOf, markWords } from "./completions.ts";

it.each([
  ["Gießkanne verzinkt", "gies", "Gießkanne"],
  ["Weiße Gießkanne", "gießk", "Gießkanne"],
  ["Bœuf séché", "sech", "séché"],
  ["Ærø Ölfilter", "olf", "Ölfilter"],
])("%s completes %s, whose letters are not those of the title", (title, typed, completion) => {
  expect(completionsOf(markWords(title, [typed]))).toContain(completion);
});
