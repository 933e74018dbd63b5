import { sql } from "drizzle-orm";
import { countLiving, readCountsOf } from "../../../catalog/counts.ts";
import type { Db } from "../../../db/open.ts";
import { isSameTask, type Engine, type TaskTicket } from "../../engine/engine.ts";
import { bucketCount } from "../../index/bucket.ts";
import { readLastTicket } from "../writes/batch.ts";
import { hostOf } from "../indexes/hosts.ts";
import type { MirrorIndex } from "../indexes/indexes.ts";
import { defaultMaxRepairs } from "./reconcile.ts";

export type LossWatch = ReturnType<typeof createLossWatch>;

/** The share of a host is known by chance only, and of few products badly. */
const fewestOnHost = 100;

/** Finds losses of an index in service that neither its absence nor its settings show. */
export function createLossWatch({ db, engine }: { db: Db; engine: Engine }) {
  /** Of each index the newest task at the last look. */
  const known = new Map<string, TaskTicket>();

  /** Whether a folder or dump of former days is in the engine's place: it does not know what it has done since. */
  async function hasGoneBack(indexUid: string): Promise<boolean> {
    const last = await readLastTicket(db, indexUid);
    // Its number may be known again when others were sent since: so also the newest of before.
    const before = known.get(indexUid);
    known.delete(indexUid);
    const tickets = [last, before].flatMap((ticket) => ticket ?? []);
    const tasks = await engine.readTasks(tickets.map(({ taskUid }) => taskUid));
    for (const ticket of tickets) {
      const task = tasks.find(({ taskUid }) => taskUid === ticket.taskUid);
      if (task && !isSameTask(ticket, task)) return true;
      // Finished tasks are deleted after a while, and newer ones stay.
      if (!task && ((await engine.newestTaskUid()) ?? Infinity) < ticket.taskUid) return true;
    }
    if (last) known.set(indexUid, last);
    return false;
  }

  /** Whether it lacks more than half of the documents that it should have, or more than a check repairs. */
  async function isEmptied(indexUid: string): Promise<boolean> {
    const host = hostOf(indexUid);
    const counts = await readCountsOf(db, `mirror ${indexUid}`, ["dirty", "dead_lettered"]);
    const pending = (counts.get("dirty") ?? 0) + (counts.get("dead_lettered") ?? 0);
    const placed = (await countLiving(db)) * (host === 0 ? 1 : await shareOf(host));
    const expected = placed - pending;
    if (expected < (host === 0 ? 1 : fewestOnHost)) return false;
    const documents = await engine.countDocuments(indexUid);
    return documents < Math.max(expected / 2, expected - defaultMaxRepairs);
  }

  async function shareOf(host: number): Promise<number> {
    const [row] = await db.execute<{ buckets: number }>(sql`
      select count(*)::int as buckets from search_placement where host = ${host} and state <> 'leaving'`);
    return (row?.buckets ?? 0) / bucketCount;
  }

  return {
    /** Why the index needs all its documents anew; null: it does not. */
    async findLoss(index: MirrorIndex): Promise<string | null> {
      const { indexUid, state, enteredTo, isResetting } = index;
      if (state !== "serving" || enteredTo !== null || isResetting) return null;
      if (await hasGoneBack(indexUid)) return "the search engine went back to an older state";
      return (await isEmptied(indexUid)) ? "documents of the search index are gone" : null;
    },
  };
}
