import { setTimeout as pause } from "node:timers/promises";
import { must } from "../../src/lib/must.ts";
import type { Random } from "../../src/lib/random.ts";
import type { Fault } from "../support/fault-proxy.ts";
import { until } from "../support/until.ts";
import { crashPoints, type CrashPoint } from "./crash-points.ts";
import { openFullEngine } from "./full-engine.ts";
import type { World } from "./world.ts";

/** One thing that goes wrong under load; what is left has to be well again by itself. */
export interface Round {
  name: string;
  /** Resolves once the cause is over, with what is worth telling. */
  play(world: World): Promise<string>;
}

export function crashRound(point: CrashPoint): Round {
  return {
    name: `crash: ${point.name}`,
    async play({ tripwire, load, sandbox, servers, ops }) {
      let victim: string | null = null;
      void tripwire.arm(point).then((name) => (victim = name));
      try {
        // Refused while one is active, as after a settled round.
        const scan = async () => (await ops("POST", "jobs/feed/run"), true);
        if (point.needs === "scan") await until(scan, { what: "a scan" });
        if (point.needs === "rebuild") await ops("POST", "mirror/rebuild");
        let lastPushMs = -Infinity;
        let lastWipeMs = -Infinity;
        await until(
          async () => {
            // Documents on their way may have made the index again before anybody missed it.
            if (point.needs === "wipe" && performance.now() - lastWipeMs > 15_000) {
              lastWipeMs = performance.now();
              await servers.wipeEngine();
            }
            if (performance.now() - lastPushMs > 700) {
              lastPushMs = performance.now();
              if (point.needs === "deletion") load.removeOne();
              if (point.needs === "failure") sandbox.control.faults.fail("http_503");
            }
            return victim;
          },
          { what: `"${point.name}" to be reached`, timeoutMs: 60_000 },
        );
      } finally {
        tripwire.disarm();
        sandbox.control.faults.clear();
      }
      return `killed ${victim}`;
    },
  };
}

/** One process at any moment of its work, or of its start. */
export function killRound(random: Random): Round {
  const afterMs = random.integer(50, 800);
  const luck = random.next();
  return {
    name: "kill -9",
    async play({ fleet }) {
      await pause(afterMs);
      const workers = fleet.workers();
      const among = luck < 0.15 ? fleet.apis() : workers;
      const slot = among[Math.floor(luck * 1e6) % among.length] ?? fleet.api();
      slot.kill();
      return `${slot.name} after ${afterMs} ms`;
    },
  };
}

/** Sessions die at random for two seconds; no process may die with them. */
export function backendsRound(random: Random): Round {
  const share = random.pick([0.15, 0.4, 0.7]);
  return {
    name: "backends killed",
    async play(world) {
      const killed = await killBackends(world, share, 2000);
      const began = performance.now();
      const isWell = async () => (await fetch(`${world.fleet.api().url()}/v1/status`)).ok;
      await until(isWell, { what: "the pool to be well again", timeoutMs: 5000 });
      return `${killed} sessions (${share * 100}% each time), well after ${Math.round(performance.now() - began)} ms`;
    },
  };
}

async function killBackends({ servers }: World, share: number, forMs: number): Promise<number> {
  const untilMs = performance.now() + forMs;
  let killed = 0;
  while (performance.now() < untilMs) {
    const rows = await servers.sql(
      (sql) => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'kurabe:%' and random() < ${share}`,
    );
    killed += rows.length;
    await pause(100);
  }
  return killed;
}

function postgresRound(how: "fast" | "immediate"): Round {
  return {
    name: `Postgres stopped (${how})`,
    async play({ servers }) {
      await pause(500);
      await servers.stopPostgres(how);
      const began = performance.now();
      await until(() => servers.sql(async (sql) => (await sql`select 1`).length), {
        what: "Postgres to be back",
      });
      return `away for ${Math.round(performance.now() - began)} ms`;
    },
  };
}

const wipeRound: Round = {
  name: "engine wiped",
  async play({ servers }) {
    await pause(300);
    await servers.wipeEngine();
    return "its data is gone";
  },
};

const engineStopRound: Round = {
  name: "engine stopped",
  async play({ servers, fleet }) {
    for (const slot of fleet.slots) await slot.setFault("engine", { mode: "refuse" });
    await servers.killEngine();
    await pause(3000);
    for (const slot of fleet.slots) await slot.setFault("engine", { mode: "pass" });
    return "away for 3 s";
  },
};

const engineFullRound: Round = {
  name: "engine's disk full",
  async play({ servers, fleet }) {
    const { hostname, port } = new URL(servers.engine.host);
    const full = await openFullEngine(servers.engine.host);
    try {
      await fleet.setEngine(full.target);
      // The engine may have been away just before: then the mirror waits until it tries again.
      await until(() => full.refused() > 0, { what: "a write to the full disk" });
      await pause(3000);
    } finally {
      await fleet.setEngine({ host: hostname, port: Number(port) });
      await full.close();
    }
    return `${full.refused()} writes refused`;
  },
};

/** The writer sleeps longer than its lease, wakes up, and goes on with what it was about to do. */
const zombieRound: Round = {
  name: "paused past its lease",
  async play(world) {
    const writer = await until(() => world.leader("mirror:products_v"), { what: "a writer" });
    writer.process().kill("SIGSTOP");
    try {
      await until(
        async () => {
          const other = await world.leader("mirror:products_v");
          return other !== null && other !== writer;
        },
        { what: "another writer" },
      );
      await pause(700);
    } finally {
      writer.process().kill("SIGCONT");
    }
    await pause(700);
    return `${writer.name} slept through the end of its term`;
  },
};

const faults = (random: Random): Fault =>
  random.pick<Fault>([
    { mode: "refuse" },
    { mode: "reset", afterBytes: random.integer(0, 3000) },
    { mode: "truncate", afterBytes: random.integer(0, 3000) },
    { mode: "latency", delayMs: random.integer(20, 200), jitterMs: 100 },
    { mode: "half-open" },
    { mode: "hang" },
  ]);

/** Every wire of every process misbehaves in turn. */
export function networkRound(random: Random): Round {
  const plan = Array.from({ length: 8 }, () => ({
    wire: random.integer(0, 99),
    slot: random.integer(0, 99),
    fault: faults(random),
  }));
  return {
    name: "network at fault",
    async play({ fleet }) {
      const done: string[] = [];
      for (const { wire: nth, slot, fault } of plan) {
        const wire = must(fleet.wires[nth % fleet.wires.length], "a wire");
        const struck = fleet.slots[slot % fleet.slots.length] ?? fleet.api();
        await struck.setFault(wire, fault);
        await pause(350);
        // The network is whole again, and what it swallowed is noticed as a broken connection.
        await struck.setFault(wire, { mode: "refuse" });
        await struck.setFault(wire, { mode: "pass" });
        done.push(`${wire} ${fault.mode}`);
      }
      return done.join(", ");
    },
  };
}

/** Those that play on a site of any size. */
export function roundsOfAnySite(random: Random): Round[] {
  return [
    backendsRound(random),
    postgresRound("fast"),
    postgresRound("immediate"),
    networkRound(random),
  ];
}

/** Each of these once, besides the crash points. */
export function otherRounds(random: Random): Round[] {
  return [...roundsOfAnySite(random), wipeRound, engineStopRound, engineFullRound, zombieRound];
}

export const crashRounds: readonly Round[] = crashPoints.map(crashRound);
