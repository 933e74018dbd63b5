import { systemClock, type Clock } from "../../src/lib/clock.ts";

export interface TestClock extends Clock {
  /** Advances time. Wakes due sleepers in order, each at its own moment. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock alone, as an operator or a time service does. */
  setWall(iso: string): void;
  sleepers(): number;
}

interface Sleeper {
  wakeMs: number;
  wake(): void;
}

/** A clock that only moves when told. */
export function createTestClock(startIso = "2026-01-01T00:00:00Z"): TestClock {
  let wallOffsetMs = new Date(startIso).getTime();
  let elapsedMs = 0;
  const sleeping = new Set<Sleeper>();

  const nextDue = (limitMs: number): Sleeper | null => {
    let next: Sleeper | null = null;
    for (const sleeper of sleeping) {
      if (sleeper.wakeMs <= limitMs && (!next || sleeper.wakeMs < next.wakeMs)) next = sleeper;
    }
    return next;
  };

  return {
    now: () => new Date(wallOffsetMs + elapsedMs),
    monotonicMs: () => elapsedMs,
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper: Sleeper = {
          wakeMs: elapsedMs + Math.max(0, ms),
          wake() {
            sleeping.delete(sleeper);
            signal?.removeEventListener("abort", sleeper.wake);
            resolve();
          },
        };
        sleeping.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
      });
    },
    async advance(ms) {
      const targetMs = elapsedMs + ms;
      await settle();
      for (let due = nextDue(targetMs); due; due = nextDue(targetMs)) {
        elapsedMs = Math.max(elapsedMs, due.wakeMs);
        due.wake();
        await settle();
      }
      elapsedMs = targetMs;
    },
    setWall(iso) {
      wallOffsetMs = new Date(iso).getTime() - elapsedMs;
    },
    sleepers: () => sleeping.size,
  };
}

/** Durations pass; the wall clock moves when told. */
export function wallClock(startMs = Date.now()) {
  let nowMs = startMs;
  const clock: Clock = { ...systemClock, now: () => new Date(nowMs) };
  return {
    clock,
    now: () => new Date(nowMs),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** Lets all ready work run, so that it can sleep again before time advances. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await new Promise(setImmediate);
}
