import { afterEach, expect, inject, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { createDataDir } from "../support/data-dir.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function addressOf(kurabe: TestProcess): Promise<string> {
  const output = await kurabe.says("kurabe is running");
  return must(/"url":"(http:[^"]+)"/.exec(output)?.[1], "the address");
}

/** What answered each of several first searches, which also filter, order and count. */
async function firstEngines(url: string): Promise<string[]> {
  const engines: string[] = [];
  for (const query of ["q=財布", "q=革&in_stock=true&sort=price:asc", "facets=price,category"]) {
    const answer = await fetch(`${url}/v1/products?${query}`);
    const { engine, degraded } = (await answer.json()) as { engine: string; degraded: boolean };
    engines.push(degraded ? "degraded" : engine);
  }
  return engines;
}

it("answers the first searches after a start from the engine, on the first start of all and, in the long run, on the next", async () => {
  const dir = await createDataDir();
  cleanups.push(dir.remove);
  const starts = inject("long") ? 2 : 1;
  for (let start = 1; start <= starts; start += 1) {
    const kurabe = spawnKurabe(["start"], { env: { DATA_DIR: dir.path, PORT: "0" } });
    const url = await addressOf(kurabe);
    expect([start, await firstEngines(url)]).toEqual([
      start,
      ["meilisearch", "meilisearch", "meilisearch"],
    ]);
    kurabe.kill("SIGTERM");
    expect(await kurabe.ended).toBe(0);
  }
});
