import { beforeAll, expect } from "vitest";
import { ensureJobs } from "../../src/crawl/budget/jobs.ts";
import { clockAt } from "./api.ts";
import { apiForAll } from "./opened-api.ts";

export const clock = clockAt("2026-01-01T01:00:00.000Z");

/** The ops API over a database of its own with every job, for all tests of the file. */
export function opsApiForAll() {
  const { test, api } = apiForAll({ clock });
  beforeAll(() => ensureJobs(test.db, clock.now()));

  /** Calls an address below /ops/v1 and expects this status, and that nobody may keep the answer. */
  async function ops<T>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const response = await api.ops(method, `/ops/v1${path}`, body);
    expect([method, path, response.status]).toEqual([method, path, status]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
    return (status === 204 ? null : response.json()) as Promise<T>;
  }

  return Object.assign(test, { api, ops });
}
