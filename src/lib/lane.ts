import type { Clock } from "./clock.ts";

export interface LaneOptions {
  clock: Clock;
  /** Works that run at the same time. */
  atOnce: number;
  /** Works that may wait for their turn, and how many of them one client may have. */
  waiting: number;
  waitingPerClient: number;
  /** Who has waited so long is turned away. */
  waitMs: number;
}

/** Throws LaneFull, without having begun `work`, when its turn does not come. */
export type Lane = <T>(client: string, work: () => Promise<T>) => Promise<T>;

export class LaneFull extends Error {
  override readonly name = "LaneFull";
}

/** A place is empty for as long as the work took that held it, up to this. */
const maxRestMs = 1000;

/**
 * Lets few expensive works run at a time, first come, first served, and the lane rest as long as it
 * works, so that cheap ones keep their share of the processor however many expensive ones wait.
 */
export function createLane(options: LaneOptions): Lane {
  const { clock, atOnce } = options;
  let running = 0;
  const queue: { client: string; begin: () => void }[] = [];

  function begin(): void {
    running += 1;
  }

  async function end(tookMs: number): Promise<void> {
    if (tookMs > 0) await clock.sleep(Math.min(tookMs, maxRestMs));
    running -= 1;
    queue.shift()?.begin();
  }

  async function takeTurn(client: string): Promise<void> {
    if (running < atOnce) return begin();
    const own = queue.filter((entry) => entry.client === client).length;
    if (queue.length >= options.waiting || own >= options.waitingPerClient) {
      throw new LaneFull("too many wait already");
    }
    const come = new AbortController();
    const entry = {
      client,
      begin() {
        begin();
        come.abort(null);
      },
    };
    queue.push(entry);
    await clock.sleep(options.waitMs, come.signal);
    if (come.signal.aborted) return;
    queue.splice(queue.indexOf(entry), 1);
    throw new LaneFull("waited too long");
  }

  return async (client, work) => {
    await takeTurn(client);
    const begunMs = clock.monotonicMs();
    try {
      return await work();
    } finally {
      // The caller has its answer meanwhile.
      void end(clock.monotonicMs() - begunMs);
    }
  };
}
