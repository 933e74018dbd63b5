import { beforeAll } from "vitest";
import type { ApiDeps } from "../../src/api/http/deps.ts";
import { createTestApi, type TestApi } from "./api.ts";
import { openedForAll } from "./opened.ts";
import { createTestDb } from "./postgres.ts";

/** The API and the pages over a database of their own, for all tests of the file. */
export function apiForAll(over: Partial<ApiDeps> = {}) {
  const test = openedForAll(createTestDb);
  const api = {} as TestApi; // filled before anything reads it
  beforeAll(() => void Object.assign(api, createTestApi(test.db, over)));
  return { test, api };
}
