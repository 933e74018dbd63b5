import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";
import { createKeyList, type KeyList } from "./key-list.ts";
import { createKeyUse, type KeyUse } from "./key-use.ts";

export interface Keyring
  extends
    Pick<KeyList, "find" | "refresh" | "ageSeconds">,
    Pick<KeyUse, "take" | "takeAnonymous" | "note"> {
  /** Follows the keys in the database and exchanges counts with the other processes. */
  flush(): Promise<void>;
}

/** A revoked key stops in every process within this time and that of a query. */
export const exchangeMs = 1000;

/** The API keys of a process: which are live, and how much they are used. */
export function createKeyring(deps: { db: Db; clock: Clock; timezone: string }): Keyring {
  const list = createKeyList(deps.db, deps.clock);
  const use = createKeyUse(deps);
  return {
    find: list.find,
    refresh: list.refresh,
    ageSeconds: list.ageSeconds,
    take: use.take,
    takeAnonymous: use.takeAnonymous,
    note: use.note,
    async flush() {
      await list.refresh();
      if (!list.isEmpty() || !use.isSent()) await use.exchange();
    },
  };
}
