import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { isExhausted, isOutage, transact } from "../../db/transact.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { MatchModel } from "../comparing/model.ts";
import { shippedModel } from "../comparing/model-weights.ts";
import { compareSlice, coupleSlice, readSlice } from "./stages.ts";
import { postpone, readDue, type SliceRequest } from "./stored/due.ts";
import { continueModel, skipInPass } from "./model-pass.ts";
import { continuePasses, isOutdated } from "./stored/passes.ts";
import { createPreparedTexts } from "./stored/texts.ts";

const idleMs = 500;
/** Another process works on a slice. */
const busyMs = 100;
/** Until another model tries again to take over from readers of pairs. */
const lockedMs = 10_000;
/** Products per transaction, by stage. */
const limits = { 0: 500, 1: 500, 2: 200 } as const;
const stages = [0, 1, 2] as const;

/**
 * A step for `runLoop`: matches some of the products that are due, the earliest stage first, so that in a
 * catalogue that comes all at once each product is compared once, with final frequencies. Returns the pause in
 * milliseconds. Any number of processes may run it; one at a time works. A product that fails is set aside.
 */
export function createMatching({
  db,
  clock,
  logger,
  shipped = shippedModel,
}: {
  db: Db;
  clock: Clock;
  logger: Logger;
  /** The model of this version of the program. */
  shipped?: MatchModel;
}): (signal: AbortSignal) => Promise<number> {
  const texts = createPreparedTexts();

  /** Returns the number of products. */
  async function work(tx: Tx, request: SliceRequest): Promise<number> {
    const due = await readDue(tx, request);
    if (due.length === 0) return 0;
    if (request.stage === 0) await readSlice(tx, texts, due);
    else if (request.stage === 1) await coupleSlice(tx, due);
    else {
      const left = await compareSlice(tx, texts, due, { at: clock.now(), shipped });
      const [itemId] = left;
      if (itemId !== undefined)
        logger.warn(
          { itemId, products: left.length },
          "products keep their groups: too many hang together",
        );
    }
    return due.length;
  }

  /** Returns null while another process has its turn. */
  const inTurn = <T>(run: (tx: Tx) => Promise<T>) =>
    transact(db, clock, async (tx) => {
      const head = await tx.execute(sql`select from match_head for update skip locked`);
      return head.length === 0 || (await isOutdated(tx)) ? null : run(tx);
    });

  async function matchSlice(request: SliceRequest, signal: AbortSignal): Promise<number | null> {
    try {
      return await inTurn((tx) => work(tx, request));
    } catch (error) {
      if (isOutage(error) || isExhausted(error)) throw error;
      logger.warn({ err: error, stage: request.stage }, "matching goes one by one after a failure");
      return matchOneByOne(request, signal);
    }
  }

  async function matchOneByOne(request: SliceRequest, signal: AbortSignal): Promise<number> {
    const due = await db.transaction((tx) => readDue(tx, request));
    for (const { itemId } of due) {
      if (signal.aborted) break;
      try {
        await inTurn((tx) => work(tx, { stage: request.stage, limit: 1, only: [itemId] }));
      } catch (error) {
        if (isOutage(error) || isExhausted(error)) throw error;
        logger.error({ err: error, itemId }, "a product cannot be matched yet");
        await postpone(db, [itemId]);
      }
    }
    return due.length;
  }

  let switchesFromMs = 0;

  /** A product that fails is left out: it would hold the others up. */
  async function followModel(): Promise<number> {
    if (clock.monotonicMs() < switchesFromMs) return idleMs;
    let failure: unknown;
    for (const limit of [limits[2], 1]) {
      try {
        const request = { texts, shipped, limit, at: clock.now() };
        const step = await inTurn((tx) => continueModel(tx, request));
        if (step === "busy") switchesFromMs = clock.monotonicMs() + lockedMs;
        return step === "done" ? 0 : idleMs;
      } catch (error) {
        if (isOutage(error) || isExhausted(error)) throw error;
        failure = error;
      }
    }
    const itemId = await inTurn(skipInPass);
    if (itemId === null) throw failure;
    logger.error({ err: failure, itemId }, "the pass of another model leaves a product out");
    return 0;
  }

  return async (signal) => {
    for (const stage of stages) {
      const done = await matchSlice({ stage, limit: limits[stage] }, signal);
      if (done === null) return busyMs;
      if (done > 0) return 0;
    }
    const isPassing = await inTurn(continuePasses);
    if (isPassing === null) return busyMs;
    return isPassing ? 0 : followModel();
  };
}
