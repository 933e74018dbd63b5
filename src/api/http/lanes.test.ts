import { expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { createLane, LaneFull } from "./lanes.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

function createScene() {
  const wakes: (() => void)[] = [];
  const lane = createLane({
    clock: {
      ...systemClock,
      // Stands still, so that the lane has nothing to rest from.
      monotonicMs: () => 0,
      // Wakes when told, or when the signal aborts.
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          wakes.push(resolve);
          signal?.addEventListener("abort", () => resolve());
        }),
    },
    atOnce: 2,
    waiting: 4,
    waitingPerClient: 3,
    waitMs: 5000,
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (client: string, name: string) =>
    lane(client, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  return { enter, begun, ends, wakes };
}

it("B21: runs so many at once, the others in the order of asking", async () => {
  const { enter, begun, ends } = createScene();
  const works = ["a", "b", "c", "d"].map((name) => enter("one", name));
  await settled();
  expect(begun).toEqual(["a", "b"]);
  ends.get("b")?.();
  await settled();
  expect(begun).toEqual(["a", "b", "c"]);
  for (const name of ["a", "c"]) ends.get(name)?.();
  await settled();
  ends.get("d")?.();
  expect(await Promise.all(works)).toEqual(["a", "b", "c", "d"]);
});

it("B21: turns away the client that has too many waiting, and nobody else", async () => {
  const { enter, begun, ends } = createScene();
  const running = ["a", "b", "c", "d", "e"].map((name) => enter("greedy", name));
  await expect(enter("greedy", "f")).rejects.toThrow(LaneFull);
  const other = enter("modest", "g");
  await expect(enter("third", "h")).rejects.toThrow(LaneFull);
  for (const name of ["a", "b", "c", "d", "e", "g"]) {
    await settled();
    ends.get(name)?.();
  }
  expect(await Promise.all([...running, other])).toEqual(["a", "b", "c", "d", "e", "g"]);
  expect(begun).toHaveLength(6);
});

it("B21: turns away who has waited too long, without beginning their work", async () => {
  const { enter, begun, ends, wakes } = createScene();
  const running = [enter("one", "a"), enter("one", "b")];
  const late = enter("one", "late");
  await settled();
  wakes.at(-1)?.();
  await expect(late).rejects.toThrow(LaneFull);
  for (const name of ["a", "b"]) ends.get(name)?.();
  await Promise.all(running);
  const next = enter("one", "next");
  await settled();
  ends.get("next")?.();
  expect(await next).toBe("next");
  expect(begun).toEqual(["a", "b", "next"]);
});

it("B21: rests as long as a work took before it begins the next, and does not keep the caller waiting", async () => {
  let nowMs = 0;
  let rested = () => {};
  const rests: number[] = [];
  const lane = createLane({
    clock: {
      ...systemClock,
      monotonicMs: () => nowMs,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal) return signal.addEventListener("abort", () => resolve());
          rests.push(ms);
          rested = resolve;
        }),
    },
    atOnce: 1,
    waiting: 1,
    waitingPerClient: 1,
    waitMs: 5000,
  });
  await lane("one", async () => (nowMs += 70));
  let begun = false;
  const next = lane("one", async () => (begun = true));
  await settled();
  expect([rests, begun]).toEqual([[70], false]);
  rested();
  expect(await next).toBe(true);
});

it("gives its place back when a work fails", async () => {
  const lane = createLane({
    clock: { ...systemClock, monotonicMs: () => 0 },
    atOnce: 1,
    waiting: 1,
    waitingPerClient: 1,
    waitMs: 60_000,
  });
  await expect(lane("one", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await lane("one", async () => 1)).toBe(1);
});
