import type { Clock } from "../../lib/clock.ts";
import { toErrorMessage } from "../../lib/logged-error.ts";
import type { Logger } from "../../lib/logger.ts";

export interface Task {
  name: string;
  /** Works in short statements, and ends soon after the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Time limit of one turn. Then the other tasks run, and this one continues after them. */
const turnMs = 10 * 60_000;
const rounds = 3;
const pauseMs = 30_000;

/**
 * Runs every task, even if others fail. A task that failed or took too long is repeated after the
 * others, three times in all. Returns the last failure of each unsuccessful task by name.
 */
export async function runTasks(
  tasks: readonly Task[],
  { clock, logger }: { clock: Clock; logger: Logger },
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  let left = tasks;
  for (let round = 1; round <= rounds && left.length > 0; round += 1) {
    if (round > 1) await clock.sleep(pauseMs, signal);
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
  const late = new AbortController();
  const ended = new AbortController();
  const ring = async () => {
    await clock.sleep(turnMs, ended.signal);
    if (!ended.signal.aborted) late.abort();
  };
  const alarm = ring();
  try {
    await task.run(AbortSignal.any([signal, late.signal]));
    const isCut = late.signal.aborted && !signal.aborted;
    return isCut
      ? new Error(`not finished within ${turnMs / 60_000} min; it continues from there`)
      : null;
  } catch (error) {
    return error;
  } finally {
    ended.abort();
    await alarm;
  }
}
