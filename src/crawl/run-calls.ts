import type { Db } from "../db/open.ts";
import { endFreeRun } from "./budget/jobs.ts";
import type { Idle } from "./keywords/full-scan.ts";
import { offerByHand, type Callers } from "./offers.ts";
import type { OpenRun, OpenRuns } from "./open-runs.ts";
import type { PlannedCall, RunCall } from "./safety/planned-call.ts";

/** Calls that runs of jobs make, and which of these runs have calls under way. */
export function createRunCalls(db: Db, callers: Callers) {
  const underWay = new Map<number, number>();
  return {
    /** Takes the call for the run: until it is released, the run has not ended. */
    give(call: PlannedCall, runId: number): RunCall {
      underWay.set(runId, (underWay.get(runId) ?? 0) + 1);
      call.take();
      return {
        ...call,
        runId,
        release() {
          call.release();
          underWay.set(runId, (underWay.get(runId) ?? 1) - 1);
        },
      };
    },
    /** The next call of the manual runs that `isMeant` selects; ends those that have done their job. */
    async manualCall(
      idle: Idle,
      runs: OpenRuns,
      now: Date,
      isMeant: (open: OpenRun) => boolean,
    ): Promise<PlannedCall | null> {
      for (const [name, open] of runs) {
        if (open.run.trigger !== "manual" || !isMeant(open)) continue;
        // Read before planning: a call that ends in between may leave more to do than the plan could see.
        const isIdle = !underWay.get(open.run.id);
        const call = await offerByHand(callers, idle, { job: name, run: open.run }, now);
        if (call === "wait") continue;
        if (call) return call;
        if (isIdle) await endFreeRun(db, open.run.id, now);
      }
      return null;
    },
  };
}
