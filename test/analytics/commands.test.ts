import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { readQuestions } from "../../src/bench/analytics-data.ts";
import { readManifest } from "../../src/export/manifest.ts";
import { storeItems } from "../support/catalog.ts";
import { createDataDir } from "../support/data-dir.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { searchItem } from "../support/products.ts";
import { itLong } from "../support/it-long.ts";

const test = openedForAll(createTestDb);
beforeAll(async () => {
  await storeItems(test.db, "2026-01-10T00:00:00Z", [searchItem(1)]);
});
afterEach(killStarted);

const kurabe = (args: string[]) =>
  spawnKurabe(args, {
    env: {
      DATABASE_URL: test.url,
      DATA_DIR: join(inject("runDir"), "commands"),
      LOG_LEVEL: "warn",
    },
  });

describe("kurabe export", () => {
  it("writes what is new and says so", async () => {
    const out = join(inject("runDir"), "commands-out");
    const args = ["export", "--out", out, "--to", "2026-01-11", "--format", "parquet"];
    const first = kurabe(args);
    expect(await first.ended).toBe(0);
    expect(first.stdout()).toContain("full days: 2026-01-10 to 2026-01-11\n");
    expect(first.stdout()).toContain("prices-2026-01-10.parquet: 1 rows");
    const second = kurabe(args);
    expect(await second.ended).toBe(0);
    expect(second.stdout()).toContain("3 files written");
    expect((await readManifest(out)).files).toHaveLength(9);
  });

  const wrong = [
    ["--from", "2026-02-30"],
    ["--to", "2026-02-28x"],
    ["--format", "xlsx"],
    ["--nonsense"],
    ["here"],
  ];
  it.each(inject("long") ? wrong : wrong.slice(0, 1))("is wrong usage: %s %s", async (...args) => {
    const run = kurabe(["export", ...args]);
    expect([await run.ended, run.stderr().slice(0, 7)]).toEqual([2, "kurabe:"]);
  });
});

describe("kurabe bench analytics", () => {
  itLong("measures every question in a database of its own, which then is gone", async () => {
    const run = kurabe(["bench", "analytics", "--intervals", "3000"]);
    expect([await run.ended, run.stderr()]).toEqual([0, ""]);
    const questions = await readQuestions();
    expect(questions).toHaveLength(20);
    for (const { title } of questions) {
      expect(run.stdout()).toContain(`  ${title}\n`);
      expect(run.stdout()).toContain(`\n## ${title}\n`);
    }
    const [left] = await test.db.execute<{ n: number }>(sql`
      select count(*) as n from pg_database where datname like 'kurabe_bench_%'`);
    expect(left?.n).toBe(0);
  });

  it("is wrong usage without a name it knows", async () => {
    expect(await kurabe(["bench"]).ended).toBe(2);
    if (!inject("long")) return;
    expect(await kurabe(["bench", "analytics", "--intervals", "5"]).ended).toBe(2);
  });
});

itLong(
  "kurabe status prints the analysts' connection string of the embedded database, and says when it made that",
  async () => {
    const dataDir = await createDataDir();
    try {
      const run = spawnKurabe(["status"], { env: { DATA_DIR: dataDir.path, LOG_LEVEL: "warn" } });
      expect(await run.ended).toBe(0);
      expect(run.stdout()).toMatch(
        /^analysts {2}postgres:\/\/kurabe_analyst:[0-9a-f]{48}@127\.0\.0\.1:\d+\/kurabe$/m,
      );
      expect((await stat(join(dataDir.path, "analyst-password"))).mode & 0o777).toBe(0o600);
      const made = `there was no data in ${dataDir.path}, so a new, empty database was made`;
      expect(run.stderr()).toContain(made);
      const again = spawnKurabe(["status"], { env: { DATA_DIR: dataDir.path, LOG_LEVEL: "warn" } });
      expect(await again.ended).toBe(0);
      expect(again.stderr()).toBe("");
    } finally {
      await dataDir.remove();
    }
  },
);
