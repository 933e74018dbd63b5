export interface Wanted {
  /** Each once, in the order given. */
  itemIds: number[];
  /** Whether something was given that is no id, or too many. */
  isFaulty: boolean;
}

/** Reads `items=1,2` and `items=1&items=2`, which forms send. */
export function readWanted(given: readonly string[], most: number): Wanted {
  const parts = given.flatMap((text) => text.split(",")).filter((text) => text !== "");
  const itemIds = [...new Set(parts.filter((text) => /^[1-9]\d{0,14}$/.test(text)).map(Number))];
  const isFaulty = parts.some((text) => !/^[1-9]\d{0,14}$/.test(text));
  return {
    itemIds: itemIds.slice(0, most),
    isFaulty: isFaulty || itemIds.length > most,
  };
}
