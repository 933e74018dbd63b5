import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";
import { createKeyUse } from "./key-use.ts";
import { createMutex } from "../lib/async.ts";
import { toKeyHash, readLiveKeys, readRevision, type LiveKey } from "./stored-keys.ts";

export type Keyring = ReturnType<typeof createKeyring>;

/** A revoked key stops in every process within this time and that of a query. */
export const exchangeMs = 1000;

/** The API keys of a process: which are live, and how much they are used. */
export function createKeyring(deps: { db: Db; clock: Clock; timezone: string }) {
  const list = createKeyList(deps.db, deps.clock);
  const use = createKeyUse(deps);
  return {
    ...list,
    ...use,
    /** Follows the keys in the database and exchanges counts with the other processes. */
    async flush(): Promise<void> {
      await list.refresh();
      if (!list.isEmpty() || !use.isSent()) await use.exchange();
    },
  };
}

/** How long known keys are trusted while the database does not answer. */
const trustMs = 600_000;

/** Nobody can tell at present which keys are live. */
export class KeysUnknown extends Error {
  override readonly name = "KeysUnknown";
}

/** All live keys in memory, so that a request needs no query. */
function createKeyList(db: Db, clock: Clock) {
  let keys: ReadonlyMap<string, LiveKey> | null = null;
  let revision = "";
  let readAtMs = 0;
  let firstRead: Promise<void> | null = null;
  const inTurn = createMutex();

  /** Follows the database. In turn, so that a refresh after a revocation never uses a reading from before it. */
  const refresh = () =>
    inTurn(async () => {
      const startedMs = clock.monotonicMs();
      const present = await readRevision(db);
      if (keys === null || present !== revision) keys = await readLiveKeys(db);
      revision = present;
      readAtMs = startedMs;
    });

  const readOnce = () => {
    firstRead ??= refresh().finally(() => {
      firstRead = null;
    });
    return firstRead;
  };

  return {
    /** The live key with this text, or null. Throws KeysUnknown if the list is too old. */
    async find(text: string): Promise<LiveKey | null> {
      const hash = toKeyHash(text);
      if (hash === null) return null;
      if (keys === null) await readOnce();
      if (clock.monotonicMs() - readAtMs > trustMs) {
        throw new KeysUnknown("the keys were not read for too long");
      }
      return keys?.get(hash) ?? null;
    },
    refresh,
    isEmpty: () => keys !== null && keys.size === 0,
    /** Since the last reading; null before the first one. */
    ageSeconds: () => (keys === null ? null : (clock.monotonicMs() - readAtMs) / 1000),
  };
}
