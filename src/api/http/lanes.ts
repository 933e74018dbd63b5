import type { Clock } from "../../lib/clock.ts";
import type { ProductQuery } from "../../search/query/query.ts";
import { maxAnswerBytes } from "./answer.ts";

interface LaneOptions {
  clock: Clock;
  atOnce: number;
  /** Jobs that may wait, in all and per client. */
  waiting: number;
  waitingPerClient: number;
  /** Longest wait; then the job is refused. */
  waitMs: number;
}

/** Throws LaneFull if `work` cannot begin in time. */
type Lane = <T>(client: string, work: () => Promise<T>) => Promise<T>;

export class LaneFull extends Error {
  override readonly name = "LaneFull";
}

/** After a job its place rests as long as the job took, up to this. */
const maxRestMs = 1000;

/**
 * Runs few expensive jobs at a time, in order of arrival. Between jobs the lane rests as long as it
 * worked, so that cheap requests keep half of the processor.
 */
export function createLane(options: LaneOptions): Lane {
  const { clock, atOnce } = options;
  let running = 0;
  const queue: { client: string; begin: () => void }[] = [];

  /** Hands the place to the next job. */
  async function end(tookMs: number): Promise<void> {
    if (tookMs > 0) await clock.sleep(Math.min(tookMs, maxRestMs));
    const next = queue.shift();
    if (next) next.begin();
    else running -= 1;
  }

  async function takeTurn(client: string): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const own = queue.filter((entry) => entry.client === client).length;
    if (queue.length >= options.waiting || own >= options.waitingPerClient) {
      throw new LaneFull("too many wait already");
    }
    const turn = new AbortController();
    const entry = { client, begin: () => turn.abort(null) };
    queue.push(entry);
    await clock.sleep(options.waitMs, turn.signal);
    if (turn.signal.aborted) return;
    queue.splice(queue.indexOf(entry), 1);
    throw new LaneFull("waited too long");
  }

  return async (client, work) => {
    await takeTurn(client);
    const begunMs = clock.monotonicMs();
    try {
      return await work();
    } finally {
      // The caller already has its answer.
      void end(clock.monotonicMs() - begunMs);
    }
  };
}

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
