import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * The lines of a text file, unpacked if its name ends in `.gz`; the last one is empty if the file ends
 * with a line break. Rejects with the error of the file system or of the packed data. Only "\n" ends a
 * line, because the texts of JSON may contain the other line breaks of `node:readline` (U+2028).
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? pipeline(file, createGunzip(), () => {}) : file;
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const lines = `${rest}${String(chunk)}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}
