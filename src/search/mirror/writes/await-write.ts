import { EngineUnavailable, type Engine, type TaskTicket } from "../../engine/engine.ts";
import type { Writer } from "./writer.ts";

const waitMs = 5000;
const longestWaits = 12;

/** Waits up to a minute for the success of a write, and keeps the lease meanwhile. */
export async function awaitWrite(
  { engine, writer }: { engine: Engine; writer: Writer },
  ticket: TaskTicket,
): Promise<void> {
  for (let waits = 1; ; waits += 1) {
    try {
      return await engine.awaitTask(ticket, waitMs);
    } catch (error) {
      const isLate = error instanceof EngineUnavailable && error.code === "task_timeout";
      if (!isLate || waits === longestWaits) throw error;
    }
    await writer.keep();
  }
}
