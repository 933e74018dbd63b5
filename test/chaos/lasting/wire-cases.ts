import { must } from "../../../src/lib/must.ts";
import type { Fault } from "../../support/fault-proxy.ts";
import type { Wire } from "../crash-points.ts";
import {
  beyondTheEngine,
  beyondTheUpstream,
  everything,
  takeOverSeconds,
  type ProbedCase,
} from "./service-case.ts";

const theLeader = "the worker that crawls";

/** One wire of some processes stays broken. */
function brokenWire(
  ids: readonly string[],
  wire: Wire,
  whose: typeof theLeader | "all",
  fault: Fault,
  how: string,
): ProbedCase {
  const probes =
    whose === theLeader ? everything : wire === "engine" ? beyondTheEngine : beyondTheUpstream;
  return {
    ids,
    what: `${wire} ${how}`,
    subject: whose === "all" ? `the ${wire}` : whose,
    probes,
    warmSeconds: whose === "all" ? 3 : takeOverSeconds,
    async apply({ world }) {
      const leader = (await world.leader("crawl")) ?? must(world.fleet.workers()[0], "a worker");
      const struck = whose === "all" ? world.fleet.slots : [leader];
      for (const slot of struck) await slot.setFault(wire, fault);
      return async () => {
        for (const slot of struck) {
          // What the wire has swallowed is noticed as a broken connection.
          await slot.setFault(wire, { mode: "refuse" });
          await slot.setFault(wire, { mode: "pass" });
        }
      };
    },
  };
}

/** Wires that stay broken. */
export const wireCases: readonly ProbedCase[] = [
  brokenWire(["U1"], "upstream", "all", { mode: "refuse" }, "refuses every connection"),
  brokenWire(["U3"], "upstream", "all", { mode: "hang" }, "accepts and never answers"),
  brokenWire(["U2"], "upstream", "all", { mode: "reset", afterBytes: 100 }, "resets every answer"),
  brokenWire(["U1"], "upstream", theLeader, { mode: "refuse" }, "is out of one worker's reach"),
  brokenWire(["U3"], "upstream", theLeader, { mode: "hang" }, "never answers one worker"),
  brokenWire(["M1"], "engine", "all", { mode: "refuse" }, "is down"),
  brokenWire(["M1"], "engine", "all", { mode: "hang" }, "accepts and never answers"),
  brokenWire(["M1"], "engine", "all", { mode: "latency", delayMs: 2500 }, "takes 2.5 s an answer"),
  brokenWire(["D7"], "database", theLeader, { mode: "half-open" }, "is half-open for one worker"),
  brokenWire(
    ["D6"],
    "database",
    theLeader,
    { mode: "reset", afterBytes: 0 },
    "ends one worker's sessions",
  ),
];
