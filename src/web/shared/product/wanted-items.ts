import { idParam } from "../../../api/http/parameters.ts";

const itemId = idParam();

export interface Wanted {
  /** Each once, in the order given. */
  itemIds: number[];
  /** Whether something was given that is no id, or too many. */
  isFaulty: boolean;
}

/** Reads `items=1,2` and `items=1&items=2`, which forms send. */
export function readWanted(given: readonly string[], most: number): Wanted {
  const parts = given.flatMap((text) => text.split(",")).filter((text) => text !== "");
  const read = parts.map((text) => itemId.safeParse(text));
  const itemIds = [...new Set(read.flatMap(({ data }) => data ?? []))];
  return {
    itemIds: itemIds.slice(0, most),
    isFaulty: itemIds.length > most || read.some(({ success }) => !success),
  };
}
