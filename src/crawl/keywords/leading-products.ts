import { toModifiedAt } from "../../catalog/modified.ts";
import type { Answer } from "./keyword-call.ts";

/**
 * Positions at the top of the list whose `modified` lies in the future, so that no change comes above them; 0 where a
 * page from their end on shows none of them any more.
 */
export function countLed({ page, sighting: { sentAt } }: Answer, start: number): number {
  const leading = page.items.filter(
    ({ modified }) => modified * 1000 > sentAt.getTime() && toModifiedAt(modified, sentAt) === null,
  );
  return leading.length === 0 ? 0 : start + leading.length;
}
