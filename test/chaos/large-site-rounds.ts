import { setTimeout as pause } from "node:timers/promises";
import { must } from "../../src/lib/must.ts";
import type { Random } from "../../src/lib/random.ts";
import type { Round } from "./rounds.ts";

/** What only a large site can lose. */
export function largeSiteRounds(random: Random): Round[] {
  const host = (data: "kept" | "wiped"): Round => {
    const luck = random.integer(0, 99);
    return {
      name: data === "wiped" ? "search host wiped" : "search host killed",
      async play({ large }) {
        const site = must(large, "a large site");
        const nth = luck % site.hosts.length;
        await site.killHost(nth, data);
        return `host ${nth + 1} of ${site.hosts.length}`;
      },
    };
  };
  const pooler: Round = {
    name: "pooler killed",
    async play({ large }) {
      const found = large?.pooler;
      if (!found) return "there is none";
      await found.kill();
      await pause(1500);
      found.restart();
      return "away for 1.5 s";
    },
  };
  const replica: Round = {
    name: "replica killed",
    async play({ large }) {
      await must(large, "a large site").killReplica();
      await pause(1500);
      return "started again";
    },
  };
  const late: Round = {
    name: "replica late",
    async play({ large }) {
      await must(large, "a large site").holdReplay(8000);
      return "replay stood still for 8 s";
    },
  };
  return [host("kept"), host("wiped"), pooler, replica, late];
}
