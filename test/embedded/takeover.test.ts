import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProcess } from "../../src/embedded/process-table.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { createEngine } from "../../src/search/engine/engine.ts";
import { createDataDir, type DataDir } from "../support/data-dir.ts";
import { expectEnded, killStarted, spawnScript } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

let folder: DataDir;
beforeEach(async () => {
  folder = await createDataDir();
});
afterEach(async () => {
  await killStarted();
  await folder.remove();
});

const opener = () => spawnScript("test/support/opener.ts", [folder.path]);
const serverPids = () => [...folder.postmasters(), ...folder.engines()].map(({ pid }) => pid);

describe("after a kill -9 of the process that started the servers", () => {
  itLong("P1: the next one adopts them, and stops them when it is the last", async () => {
    const child = opener();
    await child.says("ready");
    const pids = serverPids();
    child.kill("SIGKILL");
    await child.ended;
    expect(serverPids()).toEqual(pids);

    const embedded = await folder.open();
    expect(serverPids()).toEqual(pids);
    await embedded.close();
    await expectEnded(pids);
  });

  it("P1: in the middle of initdb, nothing half made is used", async () => {
    const child = opener();
    const unfinished = async () =>
      (await readdir(folder.path)).find((name) => name.startsWith("postgres.new-"));
    await until(unfinished, { what: "initdb at work" });
    child.kill("SIGKILL");
    await child.ended;
    const embedded = await folder.open();
    expect(embedded.databaseUrl).toContain("127.0.0.1");
    await embedded.close();
    expect(serverPids()).toEqual([]);
  });

  itLong(
    "P1: of one of many users, the others keep the servers and the dead one does not count",
    async () => {
      const children = [opener(), opener(), opener()];
      await Promise.all(children.map((child) => child.says("ready")));
      const [first, second, third] = children;
      const pids = serverPids();
      expect(pids).toHaveLength(2);
      first?.kill("SIGKILL");
      second?.kill("SIGTERM");
      await Promise.all([first?.ended, second?.ended]);
      expect(serverPids()).toEqual(pids);
      third?.kill("SIGTERM");
      expect(await third?.ended).toBe(0);
      await expectEnded(pids);
    },
  );
});

function createListeningLogger() {
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ level: "warn", format: "json" }, to), lines };
}

describe("a server that is not as it should be", () => {
  itLong("D7: is replaced when it is alive and does not answer", async () => {
    const child = opener();
    await child.says("ready");
    child.kill("SIGKILL");
    await child.ended;
    const pids = serverPids();
    for (const pid of pids) process.kill(pid, "SIGSTOP");

    const { logger, lines } = createListeningLogger();
    const embedded = await folder.open({ logger });
    const members = lines.map((line) => line.match(/"\w+":/g) ?? []);
    expect(members).toHaveLength(2);
    for (const names of members) expect(names).toEqual([...new Set(names)]);
    const now = serverPids();
    expect(now).toHaveLength(2);
    expect(now.filter((pid) => pids.includes(pid))).toEqual([]);
    await embedded.close();
    await expectEnded([...pids, ...now]);
  });

  it("D2: is started again on its port when it dies under us, also while we stop; a postmaster.pid that names somebody else's process neither hinders nor harms", async () => {
    const stopping = new AbortController();
    const { logger, lines } = createListeningLogger();
    const embedded = await folder.open({ logger, signal: stopping.signal });
    stopping.abort();
    const pids = serverPids();
    for (const pid of pids) process.kill(pid, "SIGKILL");
    const isBack = () => serverPids().filter((pid) => !pids.includes(pid)).length === 2;
    await until(() => isBack() || null, { what: "both servers to be back" });
    const again = await folder.open();
    expect(lines.join("")).not.toContain("failed");
    expect(again.databaseUrl).toBe(embedded.databaseUrl);
    expect(again.meili).toEqual(embedded.meili);
    await again.close();
    await embedded.close();
    expect(serverPids()).toEqual([]);

    const file = join(folder.path, "postgres/data/postmaster.pid");
    await writeFile(file, `${process.ppid}\n${folder.path}/postgres/data\n1\n5432\n`);
    const beside = await folder.open({ meilisearch: false });
    expect(folder.postmasters()).toHaveLength(1);
    expect(findProcess(process.ppid)).not.toBeNull();
    await beside.close();
  });
});

describe("a folder that is removed under the servers", () => {
  it("if it is only the search engine's data, brings an empty engine at the same address, which takes writes", async () => {
    const { logger, lines } = createListeningLogger();
    const embedded = await folder.open({ postgres: false, logger });
    const { host, apiKey } = must(embedded.meili, "an engine");
    const [former] = serverPids();
    await rm(join(folder.path, "meilisearch/db"), { recursive: true });
    await until(() => serverPids().length === 1 && serverPids()[0] !== former, {
      what: "another engine",
    });
    const engine = createEngine({ host, apiKey, clock: systemClock });
    const write = async () => {
      await engine.awaitTask(await engine.addDocuments("products", '{"id":1}'), 30_000);
      return true;
    };
    await until(write, { what: "an engine that takes writes" });
    expect(lines.join("")).toContain("has lost its folder: replacing it");
    await embedded.close();
  });

  itLong(
    "gets no empty database or key in place of the former ones: the log says what is lost, and what to do",
    async () => {
      const { logger, lines } = createListeningLogger();
      const says = (text: string) =>
        until(() => lines.some((line) => line.includes(text)), { what: `"${text}" in the log` });
      const embedded = await folder.open({ logger });
      const removed = { recursive: true, maxRetries: 20, retryDelay: 100 };
      await rm(join(folder.path, "meilisearch"), removed);
      for (const { pid } of folder.engines()) process.kill(pid, "SIGKILL");
      await says("not at its former address");
      await rm(join(folder.path, "postgres"), removed);
      for (const { pid } of folder.postmasters()) process.kill(pid, "SIGKILL");
      await says("was removed while Kurabe runs");
      expect(await readdir(folder.path)).not.toContain("postgres");
      await rm(folder.path, removed);
      await embedded.close();
      expect(serverPids()).toEqual([]);

      await mkdir(join(folder.path, "postgres/data/base"), { recursive: true });
      const rest = folder.open({ meilisearch: false });
      await expect(rest).rejects.toThrow(
        /postgres has only parts of a database.*remove it to begin/,
      );
    },
  );
});

describe("signals", () => {
  itLong("P3: of a terminal reach only us: the servers have a session of their own", async () => {
    const child = opener();
    await child.says("ready");
    const sessions = serverPids().map((pid) => sessionOf(pid));
    expect(sessions).not.toContain(sessionOf(child.pid));
    child.kill("SIGTERM");
    expect(await child.ended).toBe(0);
    expect(child.stdout()).toContain("closed");
    expect(serverPids()).toEqual([]);
  });

  it("P3: during a start end it with nothing left running", async () => {
    const stopping = new AbortController();
    const opening = folder.open({ signal: stopping.signal });
    const failed = expect(opening).rejects.toThrow("aborted");
    await until(() => folder.engines().length + folder.postmasters().length > 0, {
      what: "a server on its way",
    });
    stopping.abort();
    await failed;
    expect(serverPids()).toEqual([]);
    expect(await readdir(join(folder.path, "run"))).toEqual([]);
  });
});

function sessionOf(pid: number): string {
  const line = execFileSync("ps", ["-o", "sid=", "-p", String(pid)], { encoding: "utf8" });
  return must(line.trim() || null, "a session");
}
