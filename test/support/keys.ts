import { expect } from "vitest";
import type { Tx } from "../../src/db/open.ts";
import { createKey as storeKey, createKeyText, type LiveKey } from "../../src/keys/stored-keys.ts";
import { must } from "../../src/lib/must.ts";
import type { TestApi } from "./api.ts";

export interface CreatedKey {
  key_id: number;
  key: string;
}

export async function createKey(api: TestApi, body: object): Promise<CreatedKey> {
  const response = await api.ops("POST", "/ops/v1/keys", { name: "shop.example", ...body });
  expect(response.status).toBe(201);
  return (await response.json()) as CreatedKey;
}

/** A key, without limits unless told, where there is no API; `text` is what its owner sends. */
export async function newKey(
  tx: Tx,
  now: Date,
  limits: Partial<LiveKey> = {},
): Promise<{ keyId: number; text: string }> {
  const none = { perMinute: null, perDay: null, origins: [] };
  const request = { name: "tests", text: createKeyText(), ...none, ...limits };
  const { stored, text } = must(await storeKey(tx, request, now), "a key");
  return { keyId: stored.keyId, text };
}
