import { must } from "../../src/lib/must.ts";
import { openFaultProxy, type Fault, type FaultProxy } from "../support/fault-proxy.ts";
import { spawnKurabe, type TestProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import type { Wire } from "./crash-points.ts";
import type { Tripwire } from "./tripwire.ts";

/** One place for a Kurabe process, whose wires stay the same however often it is killed and started again. */
export interface Slot {
  name: string;
  role: "worker" | "api";
  process(): TestProcess;
  /** kill -9, and the next one is started at once. */
  kill(): void;
  /** Resolves when the process of the moment serves, or works. */
  ready(): Promise<void>;
  /** Throws unless it is an API that is ready. */
  url(): string;
  setFault(wire: Wire, fault: Fault): Promise<void>;
}

export interface Fleet {
  slots: readonly Slot[];
  workers(): readonly Slot[];
  api(): Slot;
  /** Everything that every process has written since the last time. */
  takeLogs(): string;
  kills(): number;
  /** How processes ended that nobody killed. */
  deaths(): readonly string[];
  setEngine(target: { host: string; port: number }): Promise<void>;
  /** What every process is told, but for where its own wires lead. */
  env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface FleetOptions {
  workers: number;
  dataDir: string;
  /** Where the wires lead. */
  targets: Record<Wire, string>;
  env: Record<string, string>;
  tripwire: Tripwire;
  /** Told of the lease holders that have just died. */
  bury(holders: readonly string[]): void;
}

const wires = ["upstream", "database", "engine"] as const;

/** Workers and an API, each behind three proxies of its own. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { tripwire, bury } = options;
  const targets = {
    upstream: toTarget(options.targets.upstream),
    database: toTarget(options.targets.database),
    engine: toTarget(options.targets.engine),
  };
  const written: { process: TestProcess; out: number; err: number }[] = [];
  const deaths: string[] = [];
  let kills = 0;
  let isClosing = false;

  async function openSlot(name: string, role: Slot["role"]): Promise<Slot> {
    const proxies: Partial<Record<Wire, FaultProxy>> = {};
    const killed = new WeakSet<TestProcess>();
    const kill = () => {
      killed.add(current);
      kills += 1;
      current.kill("SIGKILL");
    };
    for (const wire of wires) {
      proxies[wire] = await openFaultProxy(targets[wire], tripwire.watcher(wire, { name, kill }));
    }
    const through = (wire: Wire) => {
      const url = new URL(options.targets[wire]);
      url.port = String(must(proxies[wire], wire).port);
      return url.href;
    };
    const start = () => {
      const started = spawnKurabe([role], {
        // A Ctrl-C is for the program, which then stops them: none of them "ended by itself".
        detached: true,
        env: {
          ...options.env,
          DATA_DIR: `${options.dataDir}/${name}`,
          PORT: "0",
          DATABASE_URL: through("database"),
          MEILI_HOST: through("engine"),
          STOREFRONT_BASE_URL: through("upstream"),
        },
      });
      written.push({ process: started, out: 0, err: 0 });
      void replaceWhenEnded(started);
      return started;
    };
    async function replaceWhenEnded(started: TestProcess): Promise<void> {
      const how = await started.ended;
      bury(tripwire.holders(name));
      tripwire.forgetHolders(name);
      if (isClosing) return;
      if (!killed.has(started))
        deaths.push(`${name} ended by itself (${how})\n${started.stderr()}`);
      current = start();
    }
    let current = start();
    return {
      name,
      role,
      process: () => current,
      kill,
      async ready() {
        await until(() => current.stdout().includes("kurabe is running"), {
          what: `${name} to run`,
          timeoutMs: 60_000,
        });
      },
      url() {
        const line = current
          .stdout()
          .split("\n")
          .find((text) => text.includes("kurabe is running"));
        return must(/"url":"([^"]+)"/.exec(line ?? "")?.[1], `${name} to serve`);
      },
      setFault: (wire, fault) => must(proxies[wire], wire).set(fault),
    };
  }

  const slots: Slot[] = [];
  for (let i = 1; i <= options.workers; i += 1) slots.push(await openSlot(`worker-${i}`, "worker"));
  slots.push(await openSlot("api", "api"));

  return {
    slots,
    workers: () => slots.filter((slot) => slot.role === "worker"),
    api: () =>
      must(
        slots.find((slot) => slot.role === "api"),
        "an API",
      ),
    takeLogs() {
      return written
        .map((one) => {
          const out = one.process.stdout();
          const err = one.process.stderr();
          const fresh = out.slice(one.out) + err.slice(one.err);
          Object.assign(one, { out: out.length, err: err.length });
          return fresh;
        })
        .join("\n");
    },
    env: { ...options.env, DATA_DIR: options.dataDir, PORT: "0" },
    kills: () => kills,
    deaths: () => deaths,
    async setEngine(target) {
      Object.assign(targets.engine, target);
      for (const slot of slots) {
        await slot.setFault("engine", { mode: "refuse" });
        await slot.setFault("engine", { mode: "pass" });
      }
    },
    async close() {
      isClosing = true;
      for (const slot of slots) slot.process().kill("SIGCONT");
      for (const slot of slots) slot.process().kill("SIGTERM");
      const patience = setTimeout(() => {
        for (const slot of slots) slot.process().kill("SIGKILL");
      }, 15_000);
      await Promise.all(slots.map((slot) => slot.process().ended));
      clearTimeout(patience);
    },
  };
}

function toTarget(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
