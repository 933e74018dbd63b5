import { describe, expect, it } from "vitest";
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

  it.each(["--help", "-h"])(
    "plan %s tells about the command, and needs no settings",
    async (word) => {
      expect(await outputOf("plan", word)).toContain("Spends nothing.");
    },
  );

  it("--version tells the version of the package", async () => {
    expect(await outputOf("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
