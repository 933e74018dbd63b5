import { expect, it } from "vitest";
import { createKeyText, toKeyHash } from "./stored-keys.ts";

it("makes keys of 192 random bits that a search for leaked secrets recognises", () => {
  const keys = Array.from({ length: 100 }, () => createKeyText());
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^kurabe_[0-9a-f]{48}$/);
});

it("stores the SHA-256 of a key, and takes nothing else for one", () => {
  const key = `kurabe_${"0".repeat(48)}`;
  expect(toKeyHash(key)).toMatch(/^[0-9a-f]{64}$/);
  expect(toKeyHash(key)).toBe(toKeyHash(key));
  for (const text of ["", "kurabe_", `${key}0`, ` ${key}`, key.toUpperCase(), `${key}\n`]) {
    expect(toKeyHash(text)).toBeNull();
  }
  expect(toKeyHash("k".repeat(1_000_000))).toBeNull();
});
