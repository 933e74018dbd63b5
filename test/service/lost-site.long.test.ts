import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/server.ts";
import { createDataDir, type DataDir } from "../support/data-dir.ts";
import { crawlOf } from "../support/kurabe-env.ts";
import { expectEnded, killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";

afterEach(killStarted);

const limit = 150;

interface Site {
  dir: DataDir;
  /** Runs a command on this site's data; returns what it wrote. */
  run(...args: string[]): Promise<string>;
  start(): Promise<{ process: TestProcess; url: string }>;
}

/** A machine with nothing on it but Kurabe: Postgres and Meilisearch are its own, in one folder. */
async function newMachine(upstream: RunningSandbox): Promise<Site> {
  const dir = await createDataDir();
  onTestFinished(dir.remove);
  const env = {
    DATA_DIR: dir.path,
    PORT: "0",
    ...crawlOf(upstream, 6),
    STOREFRONT_DAILY_LIMIT: String(limit),
  };
  return {
    dir,
    async run(...args) {
      const command = spawnKurabe(args, { env });
      expect([args[0], await command.ended], command.stderr()).toEqual([args[0], 0]);
      return command.stdout();
    },
    async start() {
      const process = spawnKurabe(["start"], { env });
      return { process, url: await process.serves() };
    },
  };
}

/** A site that was backed up, went on making calls, and is gone with all its data. */
async function lostSite() {
  const upstream = await startSandbox({ clock: systemClock, live: false, products: 200 });
  onTestFinished(upstream.close);
  const calls = () => upstream.control.calls.all().length;
  const machine = await newMachine(upstream);
  const { process: running } = await machine.start();
  await until(() => calls() >= 15, { what: "the first calls" });
  const backup = join(machine.dir.path, "..", "backup");
  await machine.run("backup", backup);
  const known = calls();
  await until(() => calls() >= known + 25, { what: "calls after the backup" });
  running.kill("SIGKILL");
  await running.ended;
  const servers = [...machine.dir.postmasters(), ...machine.dir.engines()].map(({ pid }) => pid);
  expect(servers).toHaveLength(2);
  for (const pid of servers) process.kill(pid, "SIGKILL");
  await expectEnded(servers);
  await rm(machine.dir.path, { recursive: true });
  return { upstream, backup, calls, made: calls() };
}

const json = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>;

describe("a site whose every machine is lost", () => {
  it("is back from its backup: it answers, its mirror is proven, and it makes no call of today again", async () => {
    const { upstream, backup, calls, made } = await lostSite();
    const machine = await newMachine(upstream);
    expect(await machine.run("restore", backup)).toContain("the crawl goes on with the next day");
    const { process: running, url } = await machine.start();
    const search = async () => json(`${url}/v1/products?q=${encodeURIComponent("財布")}`);
    await until(
      async () => {
        const { found, engine, degraded } = await search();
        return Number(found) > 0 && engine === "meilisearch" && degraded === false;
      },
      { what: "searches to be answered by the engine" },
    );
    expect(await machine.run("verify-mirror")).toMatch(/0 missing/);
    expect(await json(`${url}/v1/status`)).toMatchObject({
      budget: { limit, used: limit, remaining: 0 },
    });
    running.kill("SIGTERM");
    expect(await running.ended).toBe(0);
    expect(calls()).toBe(made);
  });

  it("goes on with today's calls if it is told how many were made, and never beyond the limit", async () => {
    const { upstream, backup, calls, made } = await lostSite();
    const machine = await newMachine(upstream);
    await machine.run("restore", backup, "--calls-today", String(made));
    const { url } = await machine.start();
    const used = async () => {
      const { budget } = await json(`${url}/v1/status`);
      return (budget as { used: number }).used;
    };
    await until(() => calls() > made + 10, { what: "the crawl to go on" });
    // What is kept for refreshes on demand stays unspent.
    await until(async () => (await used()) >= limit * 0.8, { what: "the day to be spent" });
    expect(calls()).toBeLessThanOrEqual(limit);
  });

  it("control: if the calls after the backup are forgotten, the limit is exceeded", async () => {
    const { upstream, backup, calls } = await lostSite();
    const machine = await newMachine(upstream);
    await machine.run("restore", backup, "--calls-today", "0");
    await machine.start();
    await until(() => calls() > limit, { what: "calls beyond the limit" });
  });
});
