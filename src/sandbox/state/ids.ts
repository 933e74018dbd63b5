import { z } from "zod";
import type { Journal } from "./journal.ts";
import { createRecords } from "./records.ts";

type Numbered = "shop" | "item" | "variation" | "category" | "saving";

/** Numbers that are used only once, even after a restart. */
export interface Ids {
  /** The next number of this kind, `step` above the last. */
  next(kind: Numbered, step?: number): number;
  /** Marks the numbers up to this one as used. */
  skip(kind: Numbered, upTo: number): void;
}

const startsAfter: Record<Numbered, number> = {
  shop: 0,
  item: 100_000,
  variation: 500_000,
  category: 1_000,
  saving: 10_000,
};

export function createIds(journal: Journal): Ids {
  const last = createRecords(journal, "sequence", z.int());
  const lastOf = (kind: Numbered) => last.get(kind) ?? startsAfter[kind];
  return {
    next(kind, step = 1) {
      const id = lastOf(kind) + step;
      last.put(kind, id);
      return id;
    },
    skip(kind, upTo) {
      if (upTo > lastOf(kind)) last.put(kind, upTo);
    },
  };
}
