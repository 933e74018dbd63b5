import { setMaxListeners } from "node:events";
import type { Clock } from "./clock.ts";

/**
 * Does the work for so many of a list at a time, one part after another, and joins the answers: no statement takes long,
 * however long the list is.
 */
export async function inParts<Item, Answer>(
  list: readonly Item[],
  size: number,
  work: (part: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < list.length; from += size)
    answers.push(...(await work(list.slice(from, from + size))));
  return answers;
}

export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs the given functions one after another, in the order of the calls. A failure does not block the next one. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
}

/** Never rejects. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The answer, or the reason of the signal as a failure if it aborts before. */
export async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  // Many may wait at once, without a warning.
  setMaxListeners(0, signal);
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    stop = () => signal.removeEventListener("abort", end);
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    stop();
  }
}

/** The answer, or a failure if there is none in time. */
export async function within<T>(clock: Clock, ms: number, answer: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const overdue = clock.sleep(ms, answered.signal).then(() => {
    throw new Error("no answer in time");
  });
  try {
    return await Promise.race([answer, overdue]);
  } finally {
    answered.abort(null);
    overdue.catch(() => {});
  }
}
