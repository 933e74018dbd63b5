import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { must } from "../lib/must.ts";
import { findByCommand, findProcess, stopProcess } from "./process-table.ts";

describe("the process table", () => {
  it("knows a process by its pid and start, and finds it by its command line", () => {
    const self = must(findProcess(process.pid), "ourselves");
    expect(findProcess(process.pid)).toEqual(self);
    expect(findByCommand(self.command).map(({ pid }) => pid)).toContain(process.pid);
    expect(findProcess(2 ** 30)).toBeNull();
    expect(findProcess(Number.NaN)).toBeNull();
  });

  it("ends a process that ignores the first signal", async () => {
    const child = spawn("/bin/sh", ["-c", "trap '' TERM; echo ready; sleep 60 & wait; wait"], {
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    await once(child.stdout, "data");
    const found = must(findProcess(must(child.pid, "a pid")), "the child");
    const signals = { SIGTERM: 50, SIGKILL: 5_000 };
    expect(await stopProcess(found, signals, systemClock)).toBe(true);
    process.kill(-found.pid, "SIGKILL");
  });

  it("never signals a process that merely got the pid of the one meant", async () => {
    const self = must(findProcess(process.pid), "ourselves");
    const other = { ...self, startedAt: "before" };
    expect(await stopProcess(other, { SIGKILL: 0 }, systemClock)).toBe(true);
  });
});
