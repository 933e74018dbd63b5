import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../cli.ts";
import { UsageError } from "../../lib/arguments.ts";

const models = ["DSC-RX100M3", "DSC-RX10M4", "ILCE-7RM2", "DSC-HX99V", "ILCE-6400L"];
const pairs = models.flatMap((left) =>
  models.map((right) => ({
    label: left === right ? 1 : 0,
    left: { title: `Sony ${left} digital camera black`, price: 900 },
    right: { title: `Digital camera Sony ${right}, black`, price: "890", brand: "Sony" },
  })),
);
const toLines = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kurabe-match-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function bench(content: string | Uint8Array, ...args: string[]) {
  const file = join(folder, typeof content === "string" ? "pairs.jsonl" : "pairs.jsonl.gz");
  writeFileSync(file, content);
  let out = "";
  const stdout = { write: (text: string) => (out += text) };
  const context = { env: {}, signal: new AbortController().signal, stdout, stderr: stdout };
  const code = await runCli(["bench", "match", "--pairs", file, ...args], context);
  return { code, last: JSON.parse(out.trim().split("\n").at(-1) ?? "") };
}

describe("kurabe bench match", () => {
  it("prints the measures of all pairs as its last line", async () => {
    const { code, last } = await bench(toLines(pairs), "--json");
    expect(code).toBe(0);
    expect(Object.keys(last)).toEqual([
      "pairs",
      "positives",
      "precision",
      "recall",
      "f1",
      "threshold",
      "best_f1",
      "recall_at_p97",
    ]);
    expect(last).toMatchObject({
      pairs: 25,
      positives: 5,
      threshold: 0.5,
      best_f1: 1,
      recall_at_p97: 1,
    });
  });

  it("reads compressed files, and finds a threshold without labels", async () => {
    const { last } = await bench(gzipSync(toLines(pairs)), "--threshold", "auto", "--json");
    expect(last).toMatchObject({ pairs: 25, f1: 1 });
  });

  it("judges the test pairs alone, with a threshold from the others' labels", async () => {
    const split = pairs.flatMap((pair) => [
      { ...pair, split: "valid" },
      { ...pair, split: "test" },
    ]);
    const { last } = await bench(toLines(split), "--threshold", "auto", "--json");
    expect(last).toMatchObject({ pairs: 25, positives: 5, f1: 1 });
  });

  it.each([
    [
      `${JSON.stringify(pairs[0])}\n{"label":2,"left":{"title":"a"},"right":{"title":"b"}}`,
      /jsonl:2: label/,
    ],
    ['{"label":1,"left":{"title":"a"},"right":{}}', /jsonl:1: right\.title/],
    ["no json", /jsonl:1 is no JSON/],
    ["", /has no pairs/],
  ])("names the bad line of %j", async (content, message) => {
    await expect(bench(content)).rejects.toThrow(message);
    await expect(bench(content)).rejects.toThrow(UsageError);
  });

  it("ends at a signal while it reads", async () => {
    const file = join(folder, "long.jsonl");
    writeFileSync(file, `${toLines(pairs)}\n`.repeat(1000));
    const stopping = new AbortController();
    const output = { write: () => true };
    const context = { env: {}, signal: stopping.signal, stdout: output, stderr: output };
    const ending = runCli(["bench", "match", "--pairs", file], context);
    setImmediate(() => stopping.abort());
    await expect(ending).rejects.toThrow("aborted");
  });

  it("names a file that cannot be read, and a threshold that is none", async () => {
    await expect(bench(toLines(pairs), "--pairs", "/no/such.gz")).rejects.toThrow(
      /\/no\/such\.gz cannot be read/,
    );
    await expect(bench("{}", "--threshold", "2")).rejects.toThrow(
      /--threshold must be auto or a number from 0 to 1, not "2"/,
    );
  });
});
