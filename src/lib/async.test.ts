import { afterEach, expect, it } from "vitest";
import { unlessAborted } from "./async.ts";

const warnings: Error[] = [];
const note = (warning: Error) => warnings.push(warning);
process.on("warning", note);
afterEach(() => process.off("warning", note));

it("stops waiting when the signal aborts, with its reason, and many may wait without a warning", async () => {
  const stopping = new AbortController();
  const never = new Promise<never>(() => {});
  const waiting = Array.from({ length: 20 }, () => unlessAborted(never, stopping.signal));
  const ended = Promise.allSettled(waiting);
  expect(await unlessAborted(Promise.resolve("answer"), stopping.signal)).toBe("answer");
  const reason = new Error("stopped");
  stopping.abort(reason);
  expect(await ended).toEqual(waiting.map(() => ({ status: "rejected", reason })));
  await expect(unlessAborted(never, stopping.signal)).rejects.toBe(reason);
  // Warnings are told in a later turn.
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});
