import { must } from "../../../src/lib/must.ts";
import { spawnKurabe, type TestProcess } from "../../support/processes.ts";
import { everySecond } from "./on-site.ts";
import { everything, takeOverSeconds, type ProbedCase, type Site } from "./service-case.ts";

/** A third worker, within which `code` runs before anything else. */
function spawnOddWorker({ world }: Site, code: string): TestProcess {
  const { servers, sandbox, fleet } = world;
  return spawnKurabe(["worker"], {
    env: {
      ...fleet.env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
      DATA_DIR: `${fleet.env["DATA_DIR"]}/odd-worker`,
      DATABASE_URL: servers.databaseUrl,
      MEILI_HOST: servers.engine.host,
      STOREFRONT_BASE_URL: sandbox.url,
    },
    detached: true,
  });
}

async function runThirdWorker(site: Site, code: string): Promise<() => Promise<void>> {
  const third = spawnOddWorker(site, code);
  await third.says("kurabe is running");
  return async () => {
    third.kill("SIGKILL");
    await third.ended;
  };
}

const tenMinutesAhead = `const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + 600_000) : super(...given); }
    static now() { return Real.now() + 600_000; }
  };`;
// It blocks without work: the processor is not what is tested.
const mostlyBlocked = `const never = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.wait(never, 0, 0, 1500), 2000);`;

/** Workers that stay odd. */
export const processCases: readonly ProbedCase[] = [
  {
    ids: ["P4"],
    what: "a worker is paused",
    subject: "the worker that crawls",
    probes: everything,
    warmSeconds: takeOverSeconds,
    async apply({ world }) {
      const leader = (await world.leader("crawl")) ?? must(world.fleet.workers()[0], "a worker");
      const process = leader.process();
      process.kill("SIGSTOP");
      return async () => process.kill("SIGCONT");
    },
  },
  {
    ids: ["P1", "P7"],
    what: "a worker is killed as soon as it is back",
    subject: "worker-1",
    probes: everything,
    // If it led, the other one leads once the lease has ended.
    warmSeconds: 8,
    async apply({ world }) {
      const victim = must(world.fleet.workers()[0], "a worker");
      return everySecond(async () => victim.kill());
    },
  },
  {
    ids: ["P5"],
    what: "a worker's event loop stands still most of the time",
    subject: "a third worker",
    probes: everything,
    warmSeconds: 10,
    control: (site) => runThirdWorker(site, ""),
    apply: (site) => runThirdWorker(site, mostlyBlocked),
  },
  // The last, because its calls are in the future of all who come after it.
  {
    ids: ["P8", "U23"],
    what: "a worker's clock is ten minutes ahead",
    subject: "a third worker, which leads",
    probes: everything,
    warmSeconds: 6,
    async apply(site) {
      const odd = spawnOddWorker(site, tenMinutesAhead);
      await odd.says("kurabe is running");
      for (const slot of site.world.fleet.workers()) slot.kill();
      return async () => {
        odd.kill("SIGTERM");
        await odd.ended;
      };
    },
  },
];
