import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { withLock } from "./lock.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "kurabe-lock-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const options = (over: { waitMs?: number; signal?: AbortSignal } = {}) => ({
  dataDir,
  clock: systemClock,
  waitMs: 10_000,
  ...over,
});

describe("the lock of a data folder", () => {
  it("lets one work at a time, also after a failure", async () => {
    let inside = 0;
    let most = 0;
    const work = async (n: number) => {
      inside += 1;
      most = Math.max(most, inside);
      await systemClock.sleep(5);
      inside -= 1;
      if (n === 1) throw new Error("work failed");
      return n;
    };
    const turns = [0, 1, 2, 3].map((n) => withLock(options(), () => work(n)));
    const outcomes = await Promise.allSettled(turns);
    expect(most).toBe(1);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
  });

  it("gives up at the deadline and says what to do, and at once when told to stop", async () => {
    await withLock(options(), async () => {
      const late = withLock(options({ waitMs: 10 }), () => Promise.resolve());
      await expect(late).rejects.toThrow(/another process.*DATA_DIR/);
      const stopped = withLock(options({ signal: AbortSignal.abort() }), () => Promise.resolve());
      await expect(stopped).rejects.toThrow("aborted");
    });
  });
});
