import { expect, it } from "vitest";
import { messages } from "../messages/messages.ts";
import { titleOf } from "./product-tile.tsx";

it("a title of which nothing is seen is told as none, so that every link has a text", () => {
  const shown = (title: string) => titleOf({ title }, { m: messages.en }, 20);
  for (const title of ["", " \u3000\n", "\u200b\u200d\ufeff", "\u202e", "\u3164", "\u0007"]) {
    expect(shown(title)).toBe("(product without a name)");
  }
  expect(shown(" 👩‍👧 革 ")).toBe("👩‍👧 革");
  expect(shown("\u200b財布")).toBe("\u200b財布");
});
