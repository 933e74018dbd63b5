import type { Clock } from "../../lib/clock.ts";
import type { Outcome } from "./meter.ts";
import { playPolicy, policies, type Play, type PolicyName, type Stage } from "./policies.ts";
import type { World } from "../worlds/world.ts";

/** What a bench needs from its caller. */
export interface Bench extends Pick<Stage, "withDatabase" | "signal"> {
  /** A line of the result. */
  print(line: string): void;
  /** A line on its progress. */
  note(line: string): void;
  /** Real time. */
  clock: Clock;
}

const NOTE_EVERY_MS = 10_000;

/** Plays one policy and notes its progress; rejects when the bench is interrupted. */
export async function playNoted(
  bench: Bench,
  world: World,
  name: PolicyName,
  play: Play,
): Promise<Outcome> {
  const { clock, note } = bench;
  const title = `${world.name}: ${policies[name]}, ${play.callsPerDay} calls a day`;
  note(`${title}: playing`);
  const startedMs = clock.monotonicMs();
  let notedMs = startedMs;
  const days = Math.ceil(world.endsAt - world.startsAt);
  const outcome = await playPolicy(world, name, play, {
    ...bench,
    onDay(day) {
      const nowMs = clock.monotonicMs();
      if (nowMs - notedMs < NOTE_EVERY_MS) return;
      notedMs = nowMs;
      note(`${title}: day ${day} of ${days}`);
    },
  });
  note(`${title}: done in ${((clock.monotonicMs() - startedMs) / 1000).toFixed(1)} s`);
  return outcome;
}
