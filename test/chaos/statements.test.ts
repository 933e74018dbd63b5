import { expect, it } from "vitest";
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
