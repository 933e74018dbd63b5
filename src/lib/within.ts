import type { Clock } from "./clock.ts";

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
