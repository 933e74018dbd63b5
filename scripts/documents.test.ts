import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");

const folders = [".", ".github", "infra", "infra/analytics"];
const documents = (
  await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder)))
        .filter((name) => name.endsWith(".md"))
        .map((name) => join(folder, name)),
    ),
  )
).flat();

/** The first group of every match. */
const matchesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "");

async function isThere(path: string): Promise<boolean> {
  return access(join(root, path)).then(
    () => true,
    () => false,
  );
}

async function areMissing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(isThere));
  return paths.filter((_, i) => !found[i]);
}

describe.each(documents)("%s", (document) => {
  it("has no broken links", async () => {
    const text = await read(document);
    const links = [...matchesOf(text, /\]\(([^)#]+)/g), ...matchesOf(text, /src="([^"]+)"/g)];
    const ours = links.filter((link) => !URL.canParse(link));
    expect(await areMissing(ours.map((link) => join(dirname(document), link)))).toEqual([]);
  });

  it("names only existing files and scripts", async () => {
    const text = await read(document);
    const quoted = /`(?:npx tsx )?((?:src|test|scripts|drizzle|infra|\.github|\.ci)\/[\w./-]+)/g;
    // NNNN: the number that the next migration gets.
    const paths = matchesOf(text, quoted).filter((path) => !path.includes("NNNN"));
    expect(await areMissing(paths)).toEqual([]);
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await read("package.json")));
    const named = matchesOf(text, /npm run (?:--silent )?([\w:-]+)/g);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

it("infra/settings.md lists every setting, and nothing else", async () => {
  const known = matchesOf(await read("src/settings.ts"), /^ {4}([A-Z][A-Z_]+):/gm);
  const rows = matchesOf(await read("infra/settings.md"), /^\| (`[A-Z].*?) \|/gm);
  const listed = rows.flatMap((row) => matchesOf(row, /`([A-Z_]+)`/g));
  expect(known.length).toBeGreaterThan(15);
  expect(listed.toSorted()).toEqual(known.toSorted());
});

it("infra/settings.md names every command", async () => {
  const cli = await read("src/cli/cli.ts");
  const table = cli.slice(cli.indexOf("const commands:"), cli.indexOf("function usage"));
  const names = matchesOf(table, /^ {2}"?([a-z-]+)"?: \{$/gm);
  const page = await read("infra/settings.md");
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
