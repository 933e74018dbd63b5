import { afterEach, expect, inject, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { until } from "../support/until.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";

afterEach(killStarted);

it("kurabe migrate waits for the database, and a stop of it is told as one", async () => {
  const url = `postgres://kurabe:canary@127.0.0.1:${await freePort()}/kurabe`;
  const kurabe = spawnKurabe(["migrate"], { env: await kurabeEnv(url) });
  await until(() => kurabe.stderr().includes("ECONNREFUSED"), { what: "the first try" });
  kurabe.kill("SIGTERM");
  expect(await kurabe.ended).toBe(1);
  expect(kurabe.stderr()).toMatch(/\nkurabe: stopped before it was done\n$/);
});

const commands = [["status"], ["plan"], ["verify-mirror"], ["export"], ["backup", "nowhere"]];

it.each(inject("long") ? commands : commands.slice(0, 2))(
  "kurabe %s tells at once that the database is away",
  async (...args) => {
    const url = `postgres://kurabe:canary@127.0.0.1:${await freePort()}/kurabe`;
    const env = await kurabeEnv(url);
    const kurabe = spawnKurabe(args, { env });
    expect(await kurabe.ended).toBe(1);
    expect(kurabe.stderr()).toMatch(
      /^kurabe: the database cannot be used: connect ECONNREFUSED .*; kurabe doctor checks it\n$/,
    );
  },
);
