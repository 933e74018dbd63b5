import type { Clock } from "../../lib/clock.ts";
import { createLane } from "./lane.ts";
import type { ProductQuery } from "../../search/query/query.ts";
import { maxAnswerBytes } from "./answer.ts";

export type Lanes = ReturnType<typeof createLanes>;

/** One at a time, because two would take both cores of a small machine from plain searches. */
const limits = { atOnce: 1, waiting: 100, waitingPerClient: 50, waitMs: 5000 };

/** Queues in which expensive requests wait for one another, apart from all others. */
export function createLanes(clock: Clock) {
  const open = () => createLane({ clock, ...limits });
  const largeSearch = open();
  return {
    /** Large pages, and searches that need Postgres, wait; all others run at once. */
    search: <T>(query: ProductQuery, client: string, work: () => Promise<T>): Promise<T> =>
      isExpensive(query) ? largeSearch(client, work) : work(),
    /** Large InstantSearch requests. */
    instantSearch: open(),
    lookup: open(),
    /** Large pages of changes. */
    changes: open(),
  };
}

const plainPage = 50;
const plainDepth = 1000;

export const largeSearches = `Pages of more than ${plainPage} products or deeper than ${plainDepth}, and searches with \`max_age_s\` or \`group\`, wait for one another, and are answered 503 when too many do. An answer of more than ${maxAnswerBytes} bytes is refused with 400.`;

function isExpensive(query: ProductQuery): boolean {
  return (
    query.perPage > plainPage ||
    query.page * query.perPage > plainDepth ||
    query.maxAgeSeconds !== undefined ||
    query.group !== undefined
  );
}
