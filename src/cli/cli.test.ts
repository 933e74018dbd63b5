import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BackupError } from "../db/backup/backup.ts";
import { UsageError } from "../lib/arguments.ts";
import { runCli } from "./cli.ts";

async function outputOf(...args: string[]): Promise<string> {
  let output = "";
  const stream = { write: (text: string) => (output += text) };
  const { signal } = new AbortController();
  expect(await runCli(args, { env: {}, signal, stdout: stream, stderr: stream })).toBe(0);
  return output;
}

describe("kurabe", () => {
  it.each([["--help"], ["-h"], ["help"]])("%s lists the commands", async (word) => {
    expect(await outputOf(word)).toMatch(/Usage: kurabe <command>[^]*start[^]*verify-mirror/);
  });

  it.each([
    ["plan", "--help"],
    ["plan", "-h"],
    ["help", "plan"],
  ])("%s %s tells about the command, and needs no settings", async (...words) => {
    expect(await outputOf(...words)).toContain("Spends nothing.");
  });

  it("--version tells the version of the package", async () => {
    expect(await outputOf("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("bench --help tells the options of every bench", async () => {
    const help = await outputOf("bench", "--help");
    for (const name of ["alerts", "analytics", "crawl", "scale", "match"])
      expect(help).toMatch(new RegExp(`^kurabe bench ${name} .*\\[?--`, "m"));
  });
});

describe("wrong usage", () => {
  /** What `kurabe` refuses, with an empty folder as DATA_DIR; it leaves the folder empty. */
  async function refusalOf(
    args: string[],
    kind: new (...of: never[]) => Error = UsageError,
  ): Promise<string> {
    const dataDir = mkdtempSync(join(tmpdir(), "kurabe-cli-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const stream = { write: () => true };
    const { signal } = new AbortController();
    const context = { env: { DATA_DIR: dataDir }, signal, stdout: stream, stderr: stream };
    const error: unknown = await runCli(args, context).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(kind);
    expect(readdirSync(dataDir)).toEqual([]);
    return (error as Error).message;
  }

  it.each([["backup", "folder"], ["export"]])(
    "%s of no database makes none, and says where it looked",
    async (...args) => {
      expect(await refusalOf(args)).toMatch(
        /^no database: DATABASE_URL is not set, and .*kurabe-cli-/,
      );
    },
  );

  it("an empty folder or option is no folder here", async () => {
    expect(await refusalOf(["backup", ""])).toBe("expected one argument: the backup's folder");
    expect(await refusalOf(["export", "--out", ""])).toBe("--out is empty");
    expect(await refusalOf(["sandbox", "--catalog", " "])).toBe("--catalog is empty");
  });

  it("an unknown option is answered with the known ones", async () => {
    expect(await refusalOf(["export", "--form", "csv"])).toBe(
      "Unknown option '--form'; known are: --out, --from, --to, --format",
    );
    expect(await refusalOf(["bench"])).toBe(
      "expected the name of a bench: alerts, analytics, crawl, scale, match",
    );
  });

  it("restore of a folder without a backup makes no database for it", async () => {
    expect(await refusalOf(["restore", "/none"], BackupError)).toBe(
      "/none has no backup: no manifest.json is there",
    );
  });

  it("export refuses days that end before they begin", async () => {
    const days = ["--from", "2026-05-02", "--to", "2026-05-01"];
    expect(await refusalOf(["export", ...days])).toBe("--from 2026-05-02 is after --to 2026-05-01");
  });
});
