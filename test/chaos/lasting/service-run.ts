import { setTimeout as pause } from "node:timers/promises";
import { figure, leastShare, type Figure } from "./case.ts";
import { probeNames, probes } from "./probes.ts";
import type { ProbeName, ProbedCase, ServiceCase } from "./service-case.ts";
import type { RunningSite } from "./site.ts";

/** Long enough for 60 searches and 30 calls, short enough for 50 cases. */
const windowSeconds = 6;

/** Plays a case on the running site, which is well again afterwards. */
export async function playServiceCase(site: RunningSite, one: ServiceCase): Promise<Figure[]> {
  try {
    if (!("probes" in one)) return await judged(site, one);
    const figures = await probed(site, one);
    // A machine that was busy with something else is not the fault's doing: once more decides.
    if (figures.every(({ share }) => share >= leastShare)) return figures;
    await site.heal();
    const again = await probed(site, one);
    return figures.map((first, i) => better(first, again[i] ?? first));
  } finally {
    await site.heal();
  }
}

async function judged(site: RunningSite, one: Exclude<ServiceCase, ProbedCase>): Promise<Figure[]> {
  const lift = await one.apply(site);
  try {
    return await one.judge(site);
  } finally {
    await lift();
  }
}

/** Control, fault, control: what drifts with time alone is in both. */
async function probed(site: RunningSite, one: ProbedCase): Promise<Figure[]> {
  const before = await watch(site, one.probes);
  const lift = await one.apply(site);
  let during: number[];
  try {
    await pause((one.warmSeconds ?? 1) * 1000);
    during = await watch(site, one.probes);
  } finally {
    await lift();
  }
  await site.heal();
  const after = await watch(site, one.probes);
  return one.probes.map((name, i) =>
    figure(probeNames[name], ((before[i] ?? 0) + (after[i] ?? 0)) / 2, during[i] ?? 0),
  );
}

function watch(site: RunningSite, names: readonly ProbeName[]): Promise<number[]> {
  return Promise.all(names.map((name) => probes[name](site, windowSeconds)));
}

function better(one: Figure, other: Figure): Figure {
  return other.share > one.share ? other : one;
}
