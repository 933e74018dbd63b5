import { z } from "zod";
import type { Journal } from "./journal.ts";
import { createRecords } from "./records.ts";

type Numbered = "shop" | "item" | "variation" | "category" | "saving";

const startsAfter: Record<Numbered, number> = {
  shop: 0,
  item: 100_000,
  variation: 500_000,
  category: 1_000,
  saving: 10_000,
};

export type Ids = ReturnType<typeof createIds>;

/** Numbers that are used only once, even after a restart. */
export function createIds(journal: Journal) {
  const last = createRecords(journal, "sequence", z.int());
  const lastOf = (kind: Numbered) => last.get(kind) ?? startsAfter[kind];
  return {
    /** The next number of this kind, `step` above the last. */
    next(kind: Numbered, step = 1): number {
      const id = lastOf(kind) + step;
      last.put(kind, id);
      return id;
    },
    /** Marks the numbers up to this one as used. */
    skip(kind: Numbered, upTo: number): void {
      if (upTo > lastOf(kind)) last.put(kind, upTo);
    },
  };
}
