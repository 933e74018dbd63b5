import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { crashPoints } from "./crash-points.ts";
import { createStatementReader } from "./statements.ts";

function message(type: string, ...parts: string[]): Buffer {
  const body = Buffer.from(parts.map((part) => `${part}\0`).join(""));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

it("reads statements wherever the bytes are cut, and prepared ones by their name", () => {
  const sent = Buffer.concat([
    message("", "user", "kurabe"),
    message("Q", "begin"),
    message("P", "", "select 1"),
    message("B", "", ""),
    message("P", "s1", "commit"),
    message("B", "", "s1"),
    message("B", "", "s1"),
  ]);
  const expected = ["begin", "select 1", "commit", "commit"];
  for (let size = 1; size <= sent.length; size += 1) {
    const read = createStatementReader();
    const seen: string[] = [];
    for (let at = 0; at < sent.length; at += size) seen.push(...read(sent.subarray(at, at + size)));
    expect(seen).toEqual(expected);
  }
});

it("the points at which chaos kills are of statements that Kurabe sends", async () => {
  const names = await readdir("src", { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(files.map((name) => readFile(join("src", name), "utf8")));
  // The others begin with words that are not written in SQL: the driver's, or those of an HTTP request.
  const written = crashPoints.filter(({ messages: [first] }) => first?.source[0] !== "^");
  expect(written.length).toBeGreaterThan(10);
  for (const { name, messages } of written)
    expect([name, texts.some((text) => messages[0]?.test(text))]).toEqual([name, true]);
});
