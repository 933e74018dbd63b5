import type { Prepared } from "../titles/prepare.ts";

/**
 * `B250M` is no `B250MA`, but `i7-6700K` is in `BX80662I76700K`; not if it has to begin with a word, as the `SF50` that is
 * no `LSF 50`.
 */
export function isInside(
  model: string,
  { squeezedAll, wordEnds }: Prepared,
  begins: "word" | "anywhere" = "anywhere",
): boolean {
  for (let at = squeezedAll.indexOf(model); at !== -1; at = squeezedAll.indexOf(model, at + 1)) {
    const end = at + model.length;
    const isWhole = wordEnds.has(end) || !/[a-z0-9]/.test(squeezedAll[end] ?? "");
    const isBegun =
      begins === "anywhere" || wordEnds.has(at) || !/[a-z]/.test(squeezedAll[at - 1] ?? "");
    if (isWhole && isBegun && !/^\d\d/.test(squeezedAll.slice(Math.max(0, at - 1), at + 1)))
      return true;
  }
  return false;
}
