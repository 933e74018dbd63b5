import { afterEach, describe, expect, it } from "vitest";
import { onceStarted } from "../support/once-started.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { itLong } from "../support/it-long.ts";

afterEach(killStarted);

const signal = 'process.emit("SIGINT")';

describe("signals", () => {
  itLong(
    "P3: of one key press, which npm passes on a second time, ask for one orderly stop",
    async () => {
      const kurabe = spawnKurabe(["sandbox", "--in-memory", "--port", "0"], {
        env: onceStarted(`${signal}; setTimeout(() => ${signal}, 100)`),
      });
      expect(await kurabe.ended).toBe(0);
    },
  );

  it("P3: of a terminal that is closed ask for an orderly stop too", async () => {
    const kurabe = spawnKurabe(["sandbox", "--in-memory", "--port", "0"]);
    await kurabe.says("Storefront sandbox");
    kurabe.kill("SIGHUP");
    expect(await kurabe.ended).toBe(0);
  });

  it("P3: a later one ends the process now, whatever it still waits for", async () => {
    const kurabe = spawnKurabe(["sandbox", "--in-memory", "--port", "0"], {
      env: onceStarted(`${signal}; setInterval(() => {}, 1000); setTimeout(() => ${signal}, 1500)`),
    });
    expect(await kurabe.ended).toBe(1);
  });
});
