import type { Clock } from "../../lib/clock.ts";
import { createLane, type Lane } from "./lane.ts";
import type { ProductQuery } from "../../search/query/query.ts";
import { maxAnswerBytes } from "./answer.ts";

/** Queues in which expensive requests wait for one another, apart from all others. */
export interface Lanes {
  /** Large pages, and searches that need Postgres. */
  search: Lane;
  /** Large InstantSearch requests. */
  instantSearch: Lane;
  lookup: Lane;
  /** Large pages of changes. */
  changes: Lane;
}

/** One at a time, because two would take both cores of a small machine from plain searches. */
const limits = { atOnce: 1, waiting: 100, waitingPerClient: 50, waitMs: 5000 };

export function createLanes(clock: Clock): Lanes {
  const open = () => createLane({ clock, ...limits });
  return { search: open(), instantSearch: open(), lookup: open(), changes: open() };
}

const plainPage = 50;
const plainDepth = 1000;

export const largeSearches = `Pages of more than ${plainPage} products or deeper than ${plainDepth}, and searches with \`max_age_s\` or \`group\`, wait for one another, and are answered 503 when too many do. An answer of more than ${maxAnswerBytes} bytes is refused with 400.`;

export function isExpensive(query: ProductQuery): boolean {
  return (
    query.perPage > plainPage ||
    query.page * query.perPage > plainDepth ||
    query.maxAgeSeconds !== undefined ||
    query.group !== undefined
  );
}
