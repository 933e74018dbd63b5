import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { killStarted, spawnKurabe } from "../support/processes.ts";

afterEach(killStarted);

/** What a start says of its settings in a folder with this `.env`; another fault keeps it from starting. */
async function faultsWith(envFile: string, env: Record<string, string> = {}): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), "env-file-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, ".env"), envFile);
  const kurabe = spawnKurabe(["start"], { cwd, env: { ...env, LOG_LEVEL: "loud" } });
  expect(await kurabe.ended).toBe(2);
  return kurabe.stderr();
}

describe("a file .env", () => {
  it("is read from its first setting on, also as editors of Windows write it", async () => {
    const faults = await faultsWith(
      "\uFEFFSTOREFRONT_BASE_URL=http://shop.example\r\nPORT='many'\r\n",
    );
    expect(faults).toContain("STOREFRONT_BASE_URL must be https");
    expect(faults).toContain("PORT must be a whole number");
  });

  it("gives way to the environment, unless the variable there is empty", async () => {
    const faults = await faultsWith("PORT=many\nCACHE_MAX_MB=many\n", {
      PORT: "",
      CACHE_MAX_MB: "64",
    });
    expect(faults).toContain("PORT must be a whole number");
    expect(faults).not.toContain("CACHE_MAX_MB");
  });
});
