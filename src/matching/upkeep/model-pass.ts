import { sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { databaseErrorCode, lockTimeout } from "../../db/transact.ts";
import type { MatchModel } from "../comparing/model.ts";
import { findCandidates, readItems, readWaiting, refreshSteps } from "./candidates.ts";
import { comparePairs } from "./comparisons.ts";
import { regroup } from "./stored/group-rows.ts";
import { replacePairs } from "./replace-pairs.ts";
import { readModels, storeModel } from "./stored/stored-models.ts";
import type { PreparedTexts } from "./stored/texts.ts";

export interface ModelPass {
  texts: PreparedTexts;
  shipped: MatchModel;
  /** Most products of a slice. */
  limit: number;
  at: Date;
}

/** done: there was something to do. idle: there is nothing. busy: readers of pairs held the switch up. */
export type ModelStep = "done" | "idle" | "busy";

type Head = {
  model: number;
  next_model: number | null;
  next_after_id: number | null;
  regrouped_after_id: number | null;
  has_weights: boolean;
};

/**
 * One slice of the way to a model of a higher version. It judges all products beside the one in use, into pairs of
 * its own, while groups stay those of the former; then its pairs take over at once, and all groups are
 * formed anew. Each position commits with its slice, so whatever is stopped goes on.
 */
export async function continueModel(tx: Tx, pass: ModelPass): Promise<ModelStep> {
  const head = await readHead(tx);
  if (!head) return "idle";
  if (head.regrouped_after_id !== null) return regroupSlice(tx, head.regrouped_after_id, pass);
  const { shipped } = pass;
  if (shipped.version > Math.max(head.model, head.next_model ?? 0))
    return startPass(tx, head, pass);
  // Its weights have to be there when another version ships.
  if (head.model === shipped.version && !head.has_weights) await storeModel(tx, shipped);
  if (head.next_model === null) return "idle";
  if (head.next_after_id !== null) return compareNext(tx, head.next_after_id, pass);
  return (await isAnyDue(tx)) ? "idle" : switchPairs(tx, head.next_model);
}

async function readHead(tx: Tx): Promise<Head | undefined> {
  const [head] = await tx.execute<Head>(sql`
    select model, next_model, next_after_id, regrouped_after_id,
      exists (select from match_model m where m.version = h.model) as has_weights
    from match_head h`);
  return head;
}

async function startPass(
  tx: Tx,
  { model, has_weights: hasWeights }: Head,
  { shipped }: ModelPass,
): Promise<ModelStep> {
  await storeModel(tx, shipped);
  const [before] = await tx.execute(sql`select from match_pair limit 1`);
  // Where the one in use has no weights, as after a first start, this one has judged in its place: see `readModels`.
  if (!before || !hasWeights) {
    await tx.execute(
      sql`update match_head set model = ${shipped.version}, next_model = null, next_after_id = null`,
    );
    return "done";
  }
  const [left] = await tx.execute(sql`select from match_pair_next limit 1`);
  if (left) {
    const step = await locking(tx, (inner) => inner.execute(sql`truncate match_pair_next`));
    if (step === "busy") return step;
  }
  await tx.execute(
    sql`delete from match_model where version not in (${model}, ${shipped.version})`,
  );
  await tx.execute(sql`update match_head set next_model = ${shipped.version}, next_after_id = 0`);
  return "done";
}

async function compareNext(
  tx: Tx,
  afterId: number,
  { texts, shipped, limit }: ModelPass,
): Promise<ModelStep> {
  const { next } = await readModels(tx, shipped);
  const slice = await readSlice(tx, afterId, limit);
  // Those that are due are judged by both models when their turn comes.
  const waiting = await readWaiting(tx, slice);
  const itemIds = slice.filter((itemId) => !waiting.has(itemId));
  if (next && itemIds.length > 0) {
    const own = await readItems(tx, itemIds);
    const candidates = await findCandidates(tx, own, await refreshSteps(tx, own.values()));
    const [compared = []] = await comparePairs(tx, texts, candidates, [next]);
    await replacePairs(tx, { table: "match_pair_next", model: next }, itemIds, compared);
  }
  await tx.execute(sql`update match_head set next_after_id = ${slice.at(-1) ?? null}`);
  return "done";
}

/** Of products that fail nobody knows when they can be compared. */
async function isAnyDue(tx: Tx): Promise<boolean> {
  const rows = await tx.execute(sql`
    select from match_due where attempts = 0 union all select from match_category_due limit 1`);
  return rows.length > 0;
}

/** Milliseconds that readers of pairs may have to wait. */
const lockTimeoutMs = 100;

const switchPairs = (tx: Tx, next: number): Promise<ModelStep> =>
  locking(tx, async (inner) => {
    await inner.execute(sql`select switch_match_pairs()`);
    await inner.execute(sql`
      update match_head set model = ${next}, next_model = null, next_after_id = null, regrouped_after_id = 0`);
  });

async function locking(tx: Tx, work: (inner: Tx) => Promise<unknown>): Promise<ModelStep> {
  try {
    await tx.transaction(async (inner) => {
      await inner.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}`));
      await work(inner);
    });
    return "done";
  } catch (error) {
    if (databaseErrorCode(error) === lockTimeout) return "busy";
    throw error;
  }
}

async function regroupSlice(tx: Tx, afterId: number, { limit, at }: ModelPass): Promise<ModelStep> {
  const slice = await readSlice(tx, afterId, limit);
  if (slice.length > 0) {
    await regroup(tx, slice, at);
    await renewReview(tx, slice, at);
  }
  await tx.execute(sql`update match_head set regrouped_after_id = ${slice.at(-1) ?? null}`);
  return "done";
}

async function renewReview(tx: Tx, itemIds: readonly number[], at: Date): Promise<void> {
  await tx.execute(sql`
    delete from match_review r where r.a in ${idList(itemIds)}
      and not exists (select from match_pair p where p.a = r.a and p.b = r.b and p.is_doubtful)`);
  await tx.execute(sql`
    insert into match_review (a, b, priority)
    select a, b, match_priority(a, b, ${at.toISOString()}) from match_pair
    where a in ${idList(itemIds)} and is_doubtful and not is_decided(a, b) order by a, b on conflict do nothing`);
}

async function readSlice(tx: Tx, afterId: number, limit: number): Promise<number[]> {
  const rows = await tx.execute<{ item_id: number }>(sql`
    select item_id from match_item where item_id > ${afterId} order by item_id limit ${limit}`);
  return rows.map(({ item_id }) => item_id);
}

/** Leaves out the next product of the pass, which makes it fail. Returns its id. */
export async function skipInPass(tx: Tx): Promise<number | null> {
  const [skipped] = await tx.execute<{ item_id: number }>(sql`
    with next as (
      select min(i.item_id) as item_id from match_head h
      join match_item i on i.item_id > coalesce(h.regrouped_after_id, h.next_after_id)
    )
    update match_head set
      next_after_id = case when regrouped_after_id is null then next.item_id else next_after_id end,
      regrouped_after_id = case when regrouped_after_id is null then null else next.item_id end
    from next where next.item_id is not null returning next.item_id`);
  return skipped?.item_id ?? null;
}

export interface ModelProgress {
  /** The version of the model in use, and of the one that is to follow; null: none. */
  model: number;
  next: number | null;
  /**
   * From 0 to 1: the part of the products, by their ids, that the next model has judged, or that were
   * regrouped since it took over; 1 while none follows.
   */
  progress: number;
}

/** How far the way to another model is. */
export async function readModelProgress(db: Db): Promise<ModelProgress> {
  const [row] = await db.execute<{ model: number; next: number | null; progress: number }>(sql`
    select h.model, h.next_model as next, least(1, coalesce(coalesce(h.regrouped_after_id, h.next_after_id)::float8
      / nullif((select max(item_id) from match_item), 0), 1)) as progress
    from match_head h`);
  if (!row) throw new Error("match_head has no row");
  return row;
}
