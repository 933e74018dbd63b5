import { readFileSync } from "node:fs";
import { createRandom } from "../../src/lib/random.ts";
import type { LabelledPair } from "../../src/matching/comparing/labelled-pairs.ts";

/**
 * Pairs of `written-products.txt`, which teach other branches, Japanese, and one product in two scripts. Of each
 * family of products that are nearly alike, a line is one product: its price, and its titles in different shops.
 */
export function readWrittenPairs(): LabelledPair[] {
  const text = readFileSync(new URL("written-products.txt", import.meta.url), "utf8");
  const random = createRandom(29);
  return text
    .trim()
    .split("\n\n")
    .flatMap((family) => {
      const offers = family.split("\n").flatMap((line, product) => {
        const [, price = "", titles = ""] = /^(\d+) (.*)$/.exec(line) ?? [];
        return titles.split(" || ").map((title) => ({ title, product, price: Number(price) }));
      });
      return offers.flatMap((left, i) =>
        offers.slice(i + 1).map((right): LabelledPair => ({
          label: left.product === right.product ? 1 : 0,
          split: null,
          left: toItem(left),
          right: toItem(right),
        })),
      );
    });

  /** Shops ask for different prices, and some titles come without. */
  function toItem({ title, price }: { title: string; price: number }): LabelledPair["left"] {
    if (random.chance(0.15)) return { title };
    return { title, price: Math.round(price * (0.85 + 0.3 * random.next())) };
  }
}
