import type { Clock } from "../lib/clock.ts";
import { toErrorMessage } from "../lib/logged-error.ts";
import type { Logger } from "../lib/logger.ts";

export interface Task {
  name: string;
  /** Works in short statements; ends soon, with what it has done, once the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** After so long the others have their turn; the task goes on after them. */
const TURN_MS = 10 * 60_000;
const ROUNDS = 3;
const PAUSE_MS = 30_000;

/**
 * Runs every task, whatever becomes of the others; what failed or took too long is tried again after
 * them, three times in all. Returns the last failure of those that did not succeed, by name.
 */
export async function runTasks(
  tasks: readonly Task[],
  { clock, logger }: { clock: Clock; logger: Logger },
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  let left = tasks;
  for (let round = 1; round <= ROUNDS && left.length > 0; round += 1) {
    if (round > 1) await clock.sleep(PAUSE_MS, signal);
    for (const task of left) {
      if (signal.aborted) return failures;
      const failure = await takeTurn(task, clock, signal);
      if (failure === null) {
        failures.delete(task.name);
        continue;
      }
      failures.set(task.name, toErrorMessage(failure));
      logger.error({ err: failure, task: task.name, round }, `maintenance: ${task.name} failed`);
    }
    left = left.filter((task) => failures.has(task.name));
  }
  return failures;
}

async function takeTurn(task: Task, clock: Clock, signal: AbortSignal): Promise<unknown> {
  const turn = new AbortController();
  const ended = new AbortController();
  const end = () => turn.abort();
  signal.addEventListener("abort", end, { once: true });
  const ring = async () => {
    await clock.sleep(TURN_MS, ended.signal);
    if (!ended.signal.aborted) turn.abort();
  };
  const alarm = ring();
  try {
    await task.run(turn.signal);
    const isCut = turn.signal.aborted && !signal.aborted;
    return isCut
      ? new Error(`not done within ${TURN_MS / 60_000} min; it goes on from there`)
      : null;
  } catch (error) {
    return error;
  } finally {
    signal.removeEventListener("abort", end);
    ended.abort();
    await alarm;
  }
}
