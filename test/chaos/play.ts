import type { Report } from "./report.ts";
import type { Round } from "./rounds.ts";
import type { World } from "./world.ts";

/** Plays one round to its end and asks for the invariants; tells in one line what happened. */
export async function playRound(
  world: World,
  round: Round,
  report: Report,
  options: { settle?: boolean } = {},
): Promise<string> {
  const began = performance.now();
  const deathsBefore = world.fleet.deaths().length;
  let told = "";
  let state = "FAILED";
  try {
    await world.wake();
    told = await round.play(world);
    if (options.settle) await world.settle();
    await world.rest();
    if (report.add(round.name, await world.check())) state = "13 hold";
  } catch (error) {
    told = error instanceof Error ? error.message : String(error);
    report.fail(round.name, told);
  }
  for (const death of world.fleet.deaths().slice(deathsBefore)) {
    state = "FAILED";
    report.fail(round.name, death.slice(0, 2000));
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return `${state}  ${seconds.padStart(5)} s  ${round.name} (${told})`;
}
