import { afterAll, beforeAll, expect } from "vitest";
import { ensureJobs } from "../../src/crawl/budget/jobs.ts";
import { clockAt, createTestApi, type TestApi } from "./api.ts";
import { createTestDb, type TestDb } from "./postgres.ts";

export const clock = clockAt("2026-01-01T01:00:00.000Z");

export interface OpsApi extends TestDb {
  api: TestApi;
  /** Calls an address below /ops/v1 and expects this status, and that nobody may keep the answer. */
  ops<T>(status: number, method: string, path: string, body?: unknown): Promise<T>;
}

/** The ops API over a database of its own with every job, for all tests of the file. */
export function opsApiForAll(): OpsApi {
  const test = { ops } as OpsApi; // the rest is filled before anything reads it

  async function ops<T>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const response = await test.api.ops(method, `/ops/v1${path}`, body);
    expect([method, path, response.status]).toEqual([method, path, status]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
    return (status === 204 ? null : response.json()) as Promise<T>;
  }

  beforeAll(async () => {
    Object.assign(test, await createTestDb());
    test.api = createTestApi(test.db, { clock });
    await ensureJobs(test.db, clock.now());
  });
  afterAll(() => test.close());
  return test;
}
