import { setTimeout as pause } from "node:timers/promises";
import { figure, leastShare, type Figure } from "./case.ts";
import { probeNames, probes } from "./probes.ts";
import type { ProbeName, ProbedCase, ServiceCase } from "./service-case.ts";
import type { RunningSite } from "./site.ts";

/** Long enough for 50 searches and 25 calls, short enough for 50 cases. */
const windowSeconds = 5;

/** Plays a case on the running site, which is well again afterwards. */
export async function playServiceCase(site: RunningSite, one: ServiceCase): Promise<Figure[]> {
  if (!("probes" in one)) return healed(site, () => judged(site, one));
  const first = await healed(site, () => probed(site, one));
  if (first.every(({ share }) => share >= leastShare)) return first;
  // Control, fault, control, fault: a machine that was busy with something else decides nothing.
  const second = await healed(site, () => probed(site, one));
  return first.map((figureOne, i) => both(figureOne, second[i] ?? figureOne));
}

async function healed(site: RunningSite, play: () => Promise<Figure[]>): Promise<Figure[]> {
  try {
    return await play();
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

async function probed(site: RunningSite, one: ProbedCase): Promise<Figure[]> {
  const before = one.control
    ? await watchWith(site, one, one.control)
    : await watch(site, one.probes);
  const idle = one.probes.filter((_, i) => before[i] === 0);
  if (idle.length > 0) throw new Error(`stood still without any fault: ${idle.join(", ")}`);
  const during = await watchWith(site, one, one.apply);
  return one.probes.map((name, i) => figure(probeNames[name], before[i] ?? 0, during[i] ?? 0));
}

async function watchWith(
  site: RunningSite,
  { probes: names, warmSeconds = 1 }: ProbedCase,
  apply: ProbedCase["apply"],
): Promise<number[]> {
  const lift = await apply(site);
  try {
    await pause(warmSeconds * 1000);
    return await watch(site, names);
  } finally {
    await lift();
  }
}

function watch(site: RunningSite, names: readonly ProbeName[]): Promise<number[]> {
  return Promise.all(names.map((name) => probes[name](site, windowSeconds)));
}

function both(one: Figure, other: Figure): Figure {
  const mean = (a: number, b: number) => (a + b) / 2;
  return figure(
    one.measure,
    mean(one.control, other.control),
    mean(one.withFault, other.withFault),
  );
}
