import { describe, expect, it } from "vitest";
import { runCli } from "../cli.ts";
import type { CliContext } from "../context.ts";
import { UsageError } from "../../lib/arguments.ts";

function terminal() {
  const written = { out: "", err: "" };
  const context: CliContext = {
    env: {},
    signal: new AbortController().signal,
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
  };
  return { written, bench: (...args: string[]) => runCli(["bench", "crawl", ...args], context) };
}

describe("kurabe bench crawl", () => {
  it.each([
    [["--policy", "best"], /--policy must be one of round-robin, oldest.*not "best"/],
    [["--calls-per-day", "0"], /--calls-per-day must be a whole number from 1, not "0"/],
    [["--calls-per-day", "many"], /--calls-per-day .* not "many"/],
    [["--items", "3"], /--items must be a whole number from 500/],
    [["--importance", "high"], /--importance must be uniform or zipf, not "high"/],
    [["--catalog", "a.jsonl"], /--changes is missing/],
    [["--catalog", "/no/such", "--changes", "/no/such"], /--catalog or --changes cannot be read/],
    [["--speed", "3"], /--speed/],
    [["planner"], /planner/],
  ])("refuses %j and says what is allowed", async (args, message) => {
    const refused = terminal().bench(...args);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
  });

  it("prints one JSON object as its last line, and progress apart from it", async () => {
    const { written, bench } = terminal();
    const args = ["--items", "500", "--policy", "oldest", "--calls-per-day", "10", "--json"];
    expect(await bench(...args)).toBe(0);
    const last = JSON.parse(written.out.trimEnd().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({
      policy: "oldest",
      freshness: expect.any(Number),
      mean_age_s: expect.any(Number),
      recall_new_24h: expect.any(Number),
      stale_deleted: expect.any(Number),
      calls: expect.any(Number),
      fill: expect.any(Number),
    });
    expect(written.err).toMatch(/10 calls a day: playing/);
  });

  it("explains itself", async () => {
    const { written, bench } = terminal();
    expect(await bench("--help")).toBe(0);
    expect(written.out).toMatch(/--policy NAME +planner \| blind \| oracle \| round-robin/);
  });
});
