import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { boundedOutput, createLogger, type Logger } from "./logger.ts";

function logging(): { logger: Logger; text(): string } {
  let written = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  return { logger: createLogger({ level: "trace", format: "json" }, sink), text: () => written };
}

describe("the log", () => {
  it("O8: what shops and callers wrote cannot forge lines or move the cursor", () => {
    const { logger, text } = logging();
    const forged = 'x\n{"level":60,"msg":"forged"}\r\n\u001B[2J\u001B[31mred\u2028\u202Eback';
    logger.warn({ shop: forged, err: new Error(forged) }, `the shop ${forged} is gone`);
    expect(text().trimEnd().split("\n")).toHaveLength(1);
    // oxlint-disable-next-line no-control-regex
    expect(text().trimEnd()).not.toMatch(/[\u0000-\u001F\u007F]/);
    const { msg, err } = JSON.parse(text()) as { msg: string; err: { message: string } };
    for (const plain of [msg, err.message]) expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
  });

  it("P6: a reader who stopped takes no more memory than a bound, and is told what is missing", () => {
    const read: string[] = [];
    const waiting: (() => void)[] = [];
    const output = new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        read.push(chunk);
        waiting.push(done);
      },
    });
    const bounded = boundedOutput(output, String, (lost) => bounded.write(`lost ${lost}`));
    for (let line = 1; line <= 10_000; line++) bounded.write(`${line} ${"x".repeat(1_000)}`);
    expect(output.writableLength).toBeLessThan(4.1 * 2 ** 20);
    while (waiting.length > 0) waiting.shift()?.();
    const before = read.length;
    bounded.write("last");
    while (waiting.length > 0) waiting.shift()?.();
    expect(read.slice(before)).toEqual([`lost ${10_000 - before}`, "last"]);
  });
});
