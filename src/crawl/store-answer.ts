import { eq, sql } from "drizzle-orm";
import type { Sighting } from "../catalog/sighting.ts";
import type { Db, Tx } from "../db/open.ts";
import { jobRun } from "../db/schema.ts";
import { isRefusal, transact, unlessHeld } from "../db/transact.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { RefreshPage } from "../storefront/product.ts";
import { endAccountPause } from "./budget/accounts.ts";
import { settleCall } from "./budget/call-log.ts";
import type { PlannerState } from "./learning/planner-state.ts";
import {
  createNewFields,
  judge,
  readLatestAnswers,
  refuseSilence,
  refuseBlanks,
  suspicionOf,
  type Suspicion,
} from "./safety/answer-checks.ts";
import { anomalyBlock, reportAnomaly } from "./safety/failure-policy.ts";
import { clearBlock, setBlock, type Block } from "./safety/pause.ts";
import type { RunCall } from "./safety/planned-call.ts";
import type { WriteRetry } from "./safety/write-retry.ts";
import type { Started } from "./start-call.ts";

/** A row that somebody holds for longer costs the answer its products, and the crawl no time. */
const lockTimeout = "1s";

/** A call that is being made. */
export interface Made<Call extends RunCall = RunCall> extends Started {
  call: Call;
  sighting: Sighting;
  /** Since it was sent. */
  elapsedMs(): number;
  /** Aborts when the process cannot wait for it any longer. */
  abandon: AbortSignal;
}

/** Stores an answer with its checks, its history and the planner's progress, in one transaction. */
export function createAnswerStore(options: {
  db: Db;
  clock: Clock;
  logger: Logger;
  state: PlannerState;
  writeRetry: WriteRetry;
}) {
  const { db, clock, logger, state, writeRetry } = options;
  const unknownFields = createNewFields();
  const unreadableFields = createNewFields();

  /** Tries again while the database is away. Throws what the answer's checks refuse. */
  async function store(
    { call, account, isTry, probes, isBelieved, abandon }: Made,
    page: RefreshPage,
    work: (tx: Tx, oneByOne: boolean) => Promise<void>,
  ): Promise<void> {
    const suspicion = isBelieved ? null : suspicionOf(call, page);
    const fields = unknownFields(page.unknownFields);
    if (fields.length > 0) logger.warn({ fields }, "the upstream sends unknown fields");
    const unreadable = unreadableFields([
      ...("found" in page && page.found === null ? ["found"] : []),
      ...page.items.flatMap((item) => item.unreadable?.fields ?? []),
    ]);
    if (unreadable.length > 0)
      logger.warn(
        { fields: unreadable },
        "fields of the upstream cannot be read: what is stored of them stays",
      );
    const inOne = (oneByOne: boolean) => async (tx: Tx) => {
      await tx.execute(sql`select set_config('lock_timeout', ${lockTimeout}, true)`);
      if (!isBelieved) await refuseBlanks(tx, page.items);
      await refuseSilence(tx, suspicion);
      await work(tx, oneByOne);
      const block = suspicion && (await judgeAnswer(tx, suspicion, probes));
      if (block) await setBlock(tx, block, clock.now());
      else if (probes) await clearBlock(tx);
      if (isTry) await endAccountPause(tx, account);
      await state.save(tx, clock.now());
      if (call.runId !== null) await countCall(tx, call.runId);
      return block;
    };
    const stored = (oneByOne: boolean) =>
      writeRetry.untilStored(() => transact(db, clock, inOne(oneByOne)), abandon);
    try {
      const block = await stored(false).catch((error: unknown) => {
        // One item of the answer cannot be stored: the others are stored without it.
        if (!isRefusal(error)) throw error;
        return stored(true);
      });
      if (block) reportAnomaly(logger, block);
    } catch (error) {
      if (!(error instanceof AlreadySettled)) throw error;
    }
  }

  async function countCall(tx: Tx, runId: number): Promise<void> {
    const isCounted = await unlessHeld(tx, (part) =>
      part
        .update(jobRun)
        .set({ calls: sql`${jobRun.calls} + 1` })
        .where(eq(jobRun.id, runId)),
    );
    if (!isCounted)
      logger.warn({ runId }, "a call of a run is not counted: somebody holds its row");
  }

  async function judgeAnswer(tx: Tx, { reason }: Suspicion, probes: Block | null) {
    const verdict = judge(await readLatestAnswers(tx));
    return verdict === "odd" ? anomalyBlock(reason, probes, clock.now()) : null;
  }

  async function settleOk(
    tx: Tx,
    { callId, elapsedMs }: Made,
    entry: Pick<Parameters<typeof settleCall>[2], "tally" | "found" | "gone">,
  ): Promise<void> {
    const ledger = { outcome: "ok", finishedAt: clock.now(), durationMs: elapsedMs(), ...entry };
    if (!(await settleCall(tx, callId, ledger))) throw new AlreadySettled();
  }

  return { store, settleOk };
}

/** The transaction's first run did commit although its confirmation was lost: nothing is left to write. */
class AlreadySettled extends Error {}
