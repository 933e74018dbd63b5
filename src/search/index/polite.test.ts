import { expect, it } from "vitest";
import { withoutPolitePrefixes } from "./polite.ts";

it.each([
  ["お弁当箱 二段", "弁当箱 二段"],
  ["子供用お茶碗", "子供用茶碗"],
  ["ご祝儀袋", "祝儀袋"],
  ["お菓子 ご飯 お守り お洒落", "お菓子 ご飯 お守り お洒落"],
  ["-お弁当箱", "-お弁当箱"],
  ['"お弁当箱" お皿', '"お弁当箱" お皿'],
  ["おもちゃ あおい財布", "おもちゃ あおい財布"],
])("asks for %s as %s", (q, asked) => {
  expect(withoutPolitePrefixes(q)).toBe(asked);
});
