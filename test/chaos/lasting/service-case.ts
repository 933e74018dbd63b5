import type { World } from "../world.ts";
import type { Figure } from "./case.ts";

/** What of everything else is watched while something is bad. */
export type ProbeName =
  | "engine searches"
  | "searches"
  | "products"
  | "pages"
  | "ops"
  | "health"
  | "answers stored"
  | "documents synced";

/** A Kurabe at steady work: two workers, an API, an upstream, and visitors who ask at a steady rate. */
export interface Site {
  world: World;
  url(): string;
  itemIds: readonly number[];
  /** Words of titles. */
  words: readonly string[];
}

interface Bad {
  ids: readonly string[];
  what: string;
  subject: string;
  /** Brings the bad thing about, and keeps it so until the answer is called. */
  apply(site: Site): Promise<() => Promise<void>>;
}

/** The rest's pace is what the probes count in a few seconds, beside the same before and after. */
export interface ProbedCase extends Bad {
  probes: readonly ProbeName[];
  /** Until those who take over have noticed; 1 unless told. */
  warmSeconds?: number;
  /** What the control run has in the place of the bad thing, for example a process that is well. */
  control?: Bad["apply"];
}

/** What is left of the rest is told by the case itself, while the bad thing lasts. */
export interface JudgedCase extends Bad {
  judge(site: Site): Promise<Figure[]>;
}

export type ServiceCase = ProbedCase | JudgedCase;

const visitorsOnly: readonly ProbeName[] = ["searches", "products", "pages", "ops", "health"];
export const beyondTheEngine: readonly ProbeName[] = [...visitorsOnly, "answers stored"];
export const beyondTheUpstream: readonly ProbeName[] = [
  "engine searches",
  "products",
  "ops",
  "documents synced",
];
export const everything: readonly ProbeName[] = [...beyondTheUpstream, "answers stored"];
/** Leases of 6 s and 15 s run out before another process takes over. */
export const takeOverSeconds = 18;
