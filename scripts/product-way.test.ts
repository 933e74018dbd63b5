import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");

/** A file of "One product's way" in CONTRIBUTING.md, and the functions that its line names. */
interface Stop {
  number: number;
  path: string;
  functions: string[];
  text: string;
  /** Its imports, as paths in the project. */
  imports: string[];
}

async function readStops(): Promise<Stop[]> {
  const [, section = ""] = (await read("CONTRIBUTING.md")).split("## One product's way");
  const [way = ""] = section.split("\n## ");
  const stops = way.matchAll(/^(\d+)\. `([^`]+)`: ((?:.|\n(?! *\n))+?)(?=\n\d+\. |\n\n|$)/gm);
  return Promise.all(
    [...stops].map(async ([, number, path = "", said = ""]) => {
      const text = await read(path);
      const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, file = ""]) =>
        relative(root, join(root, dirname(path), file)),
      );
      const functions = [...said.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
      return { number: Number(number), path, functions, text, imports };
    }),
  );
}

const stops = await readStops();

it("is short: fewer than ten files to the page, and as many to the JSON answer", () => {
  const numbers = stops.map(({ number }) => number);
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 9]);
});

it("has files that a newcomer can read: at most 300 lines each", () => {
  const long = stops.filter(({ text }) => text.trimEnd().split("\n").length > 300);
  expect(long.map(({ path }) => path)).toEqual([]);
});

it("leads from file to file by imports, but for the table and the index between them", () => {
  const ways = [stops.slice(0, 9), [...stops.slice(0, 7), ...stops.slice(9)]];
  const gaps = ways.flatMap((way) =>
    way.slice(1).flatMap((stop, i) => {
      const before = way.slice(0, i + 1);
      const isLinked = before.some(
        (other) => other.imports.includes(stop.path) || stop.imports.includes(other.path),
      );
      return isLinked ? [] : [stop.path];
    }),
  );
  expect([...new Set(gaps)]).toEqual(["src/search/mirror/writes/send.ts"]);
});

it("names functions that these files have", () => {
  const missing = stops.flatMap(({ path, functions, text }) =>
    functions
      .filter((name) => !new RegExp(`\\b(function|async) ${name}\\b`).test(text))
      .map((name) => `${path} ${name}`),
  );
  expect(missing).toEqual([]);
});
