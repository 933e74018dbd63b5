import { expect } from "vitest";
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
