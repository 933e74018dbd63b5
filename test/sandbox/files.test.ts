import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { closers, start } from "./start.ts";

describe("a sandbox with files", () => {
  async function files() {
    const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
    closers.push(() => rm(folder, { recursive: true }));
    const source = await start({ products: 30 });
    const items = source.control.items();
    const id = must(items[0], "an item")["item_id"];
    const added = { ...items[1], item_id: 7, shop_id: "new", shop_name: "新店" };
    const changes = [
      { t: 2000, op: "delete", item_id: id },
      { t: 1000, op: "edit", item_id: id, set: { price: 1 } },
      { t: 1500, op: "add", item: added },
    ];
    const lines = (rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    const catalogFile = join(folder, "catalog.jsonl.gz");
    const changesFile = join(folder, "changes.jsonl");
    await writeFile(catalogFile, gzipSync(lines(items)));
    await writeFile(changesFile, lines(changes));
    return { catalogFile, changesFile, items, id: Number(id), folder };
  }

  it("serves the products of the file and replays the changes in time order", async () => {
    const { catalogFile, changesFile, items, id } = await files();
    const sandbox = await start({ catalogFile, changesFile });
    expect(sandbox.control.items()).toEqual(items);
    expect(sandbox.keywords).toContain("新店");
    const send = (path: string, body?: unknown) =>
      fetch(`${sandbox.url}/_control/replay${path}`, {
        method: "POST",
        body: JSON.stringify(body ?? {}),
      });
    expect(await (await send("/advance", { t: 1500 })).json()).toMatchObject({
      applied: 2,
      remaining: 1,
    });
    expect(sandbox.catalog.get(id)).toMatchObject({ price: 1, modified: 1000 });
    expect(sandbox.catalog.get(7)?.shop_name).toBe("新店");
    await send("/advance", { t: 2000 });
    expect(sandbox.catalog.get(id)).toBeUndefined();
  });

  it("lets recorded time pass by itself when it is live", async () => {
    const { catalogFile, changesFile } = await files();
    const sandbox = await start({ catalogFile, changesFile, live: true, speed: 1_000_000 });
    const deadline = performance.now() + 10_000;
    while (sandbox.control.replay?.progress().remaining !== 0 && performance.now() < deadline) {
      await systemClock.sleep(20);
    }
    expect(sandbox.control.replay?.progress()).toMatchObject({ applied: 3, remaining: 0 });
  });

  it("names the file and the line that it cannot read", async () => {
    const { folder } = await files();
    const catalogFile = join(folder, "broken.jsonl");
    await writeFile(catalogFile, '\n{"item_id":1}\n');
    await expect(start({ catalogFile })).rejects.toThrow(/broken\.jsonl, line 2/);
    await expect(start({ catalogFile: join(folder, "absent.jsonl.gz") })).rejects.toThrow(/absent/);
  });
});
