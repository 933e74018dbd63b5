import { idParam } from "../../../api/http/parameters.ts";

const itemId = idParam();

/** Reads `items=1,2` and `items=1&items=2`, which forms send. */
export function readWanted(given: readonly string[], most: number) {
  const parts = given.flatMap((text) => text.split(",")).filter((text) => text !== "");
  const read = parts.map((text) => itemId.safeParse(text));
  const itemIds = [...new Set(read.flatMap(({ data }) => data ?? []))];
  return {
    /** Each once, in the order given. */
    itemIds: itemIds.slice(0, most),
    /** Whether something was given that is no id, or too many. */
    isFaulty: itemIds.length > most || read.some(({ success }) => !success),
  };
}
