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

/** Lets few expensive works run at a time, first come, first served, so that cheap ones keep their share. */
export function createLane(options: LaneOptions): Lane {
  const { clock, atOnce } = options;
  let running = 0;
  const queue: { client: string; begin: () => void }[] = [];

  function begin(): void {
    running += 1;
  }

  function end(): void {
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
    try {
      return await work();
    } finally {
      end();
    }
  };
}
