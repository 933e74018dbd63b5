import { z } from "zod";
import { must } from "../../lib/must.ts";
import type { Catalog } from "./catalog.ts";
import { toSandboxFields, toSandboxItem, withFields } from "./item.ts";

/** Unix seconds. */
const t = z.int().min(0);
const fileChange = z.discriminatedUnion("op", [
  z.object({
    t,
    op: z.literal("edit"),
    item_id: z.int(),
    set: z.record(z.string(), z.unknown()).transform(toSandboxFields),
  }),
  z.object({ t, op: z.literal("add"), item: z.unknown().transform(toSandboxItem) }),
  z.object({ t, op: z.literal("delete"), item_id: z.int() }),
]);

/** One change of the catalogue. */
export type Change = z.infer<typeof fileChange>;

/** Reads one row of a changes file; throws a `ZodError`. */
export function toChange(value: unknown): Change {
  return fileChange.parse(value);
}

interface ReplayProgress {
  running: boolean;
  /** Simulated unix seconds. */
  simulatedSeconds: number;
  applied: number;
  remaining: number;
  /** When the next change happens; null after the last. */
  nextAtSeconds: number | null;
  lastAtSeconds: number | null;
}

/**
 * Applies recorded changes in simulated time, which starts one second before the first. `changes` are in
 * time order; those of one instant keep their order.
 */
export function createReplay(catalog: Catalog, changes: readonly Change[]) {
  let running = false;
  let applied = 0;
  let now = (changes[0]?.t ?? 1) - 1;

  /** Advances simulated time to `untilSeconds` at once, running or not. It never goes back. */
  function advanceTo(untilSeconds: number): ReplayProgress {
    now = Math.max(now, untilSeconds);
    for (let change = changes[applied]; change && change.t <= now; change = changes[applied]) {
      applyChange(catalog, change);
      applied += 1;
    }
    return progress();
  }

  function progress(): ReplayProgress {
    return {
      running,
      simulatedSeconds: now,
      applied,
      remaining: changes.length - applied,
      nextAtSeconds: changes[applied]?.t ?? null,
      lastAtSeconds: changes.length > 0 ? must(changes.at(-1), "the last change").t : null,
    };
  }

  return {
    start(): void {
      running = true;
    },
    stop(): void {
      running = false;
    },
    /** Advances simulated time while running. */
    pass(seconds: number): void {
      if (running) advanceTo(now + seconds);
    },
    advanceTo,
    progress,
  };
}

/** A change of an unknown product has no effect, because records of real shops have gaps. */
function applyChange(catalog: Catalog, change: Change): void {
  switch (change.op) {
    case "add":
      catalog.put(change.item);
      return;
    case "delete":
      catalog.remove(change.item_id);
      return;
    case "edit": {
      const item = catalog.get(change.item_id);
      if (item) catalog.put(withFields(item, { ...change.set, modified: change.t }));
    }
  }
}
