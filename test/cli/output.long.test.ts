import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/free-port.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { until } from "../support/until.ts";

afterEach(killStarted);

it("a command that prints a result logs to standard error", async () => {
  const nowhere = `postgres://kurabe@127.0.0.1:${await freePort()}/kurabe`;
  const env = { ...(await kurabeEnv(nowhere)), LOG_FORMAT: "json" };
  const kurabe = spawnKurabe(["migrate"], { env });
  await kurabe.says("the database does not answer yet");
  expect(kurabe.stdout()).toBe("");
  kurabe.kill("SIGTERM");
  await kurabe.ended;
});

it.runIf(existsSync("/dev/full"))(
  "kurabe api whose log is on a full disk goes on serving, and stops when told",
  async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    const port = await freePort();
    const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
    const toFullDisk = ["-c", `exec "$0" "$@" > /dev/full`, process.execPath, main, "api"];
    const api = spawn("sh", toFullDisk, {
      env: { ...(await kurabeEnv(test.url)), LOG_FORMAT: "json", PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void api.kill("SIGKILL"));
    let stderr = "";
    api.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    const ended = once(api, "exit");
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await until(isReady, { what: "the API to serve" });
    await until(() => stderr !== "", { what: "the loss to be told of" });
    expect(await isReady()).toBe(true);
    api.kill("SIGTERM");
    expect(await ended).toEqual([1, null]);
    expect(stderr).toBe("kurabe: output is lost: ENOSPC: no space left on device, write\n");
  },
);
