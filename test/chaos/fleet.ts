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
  /** Of a wire that the fleet has. */
  setFault(wire: Wire, fault: Fault): Promise<void>;
}

export interface Fleet {
  slots: readonly Slot[];
  /** The wires that every process has. */
  wires: readonly Wire[];
  workers(): readonly Slot[];
  apis(): readonly Slot[];
  /** The first one. */
  api(): Slot;
  /** One that serves at the moment; null while none does. */
  servingApi(): string | null;
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
  apis: number;
  dataDir: string;
  /** Where the wires lead. */
  targets: Partial<Record<Wire, string>>;
  env: Record<string, string>;
  tripwire: Tripwire;
  /** Told of the lease holders that have just died. */
  bury(holders: readonly string[]): void;
}

const settingOf: Record<Wire, string> = {
  upstream: "STOREFRONT_BASE_URL",
  database: "DATABASE_URL",
  pooler: "DATABASE_POOLER_URL",
  replica: "DATABASE_REPLICA_URL",
  engine: "MEILI_HOST",
};

/** Workers and APIs, each behind proxies of its own. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { tripwire, bury } = options;
  const targets = new Map(
    (Object.keys(settingOf) as Wire[]).flatMap((wire) => {
      const url = options.targets[wire];
      return url === undefined ? [] : [[wire, { url, ...toTarget(url) }]];
    }),
  );
  const written: { process: TestProcess; out: number; err: number }[] = [];
  const deaths: string[] = [];
  let kills = 0;
  let isClosing = false;

  async function openSlot(name: string, role: Slot["role"]): Promise<Slot> {
    const proxies = new Map<Wire, FaultProxy>();
    const killed = new WeakSet<TestProcess>();
    const kill = () => {
      killed.add(current);
      kills += 1;
      current.kill("SIGKILL");
    };
    const wiring: Record<string, string> = {};
    for (const [wire, target] of targets) {
      const proxy = await openFaultProxy(target, tripwire.watcher(wire, { name, kill }));
      proxies.set(wire, proxy);
      const url = new URL(target.url);
      url.port = String(proxy.port);
      wiring[settingOf[wire]] = url.href;
    }
    const start = () => {
      const started = spawnKurabe([role], {
        // A Ctrl-C is for the program, which then stops them: none of them "ended by itself".
        detached: true,
        env: {
          ...options.env,
          DATA_DIR: `${options.dataDir}/${name}`,
          PORT: "0",
          ...wiring,
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
      setFault: (wire, fault) => must(proxies.get(wire), wire).set(fault),
    };
  }

  const slots: Slot[] = [];
  for (let i = 1; i <= options.workers; i += 1) slots.push(await openSlot(`worker-${i}`, "worker"));
  for (let i = 1; i <= options.apis; i += 1)
    slots.push(await openSlot(options.apis === 1 ? "api" : `api-${i}`, "api"));
  const apis = slots.filter((slot) => slot.role === "api");
  let turn = 0;

  return {
    slots,
    wires: [...targets.keys()],
    workers: () => slots.filter((slot) => slot.role === "worker"),
    apis: () => apis,
    api: () => must(apis[0], "an API"),
    servingApi() {
      turn += 1;
      const inTurn = apis.map((_, i) => apis[(turn + i) % apis.length]);
      for (const slot of inTurn) {
        try {
          return must(slot, "an API").url();
        } catch {
          // It was killed a moment ago: perhaps another one serves.
        }
      }
      return null;
    },
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
      Object.assign(must(targets.get("engine"), "one engine"), target);
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
