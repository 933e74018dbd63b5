import { describe, expect, it } from "vitest";
import { createCache } from "./cache.ts";
import { systemClock } from "./clock.ts";
import { sizeOf } from "./size.ts";

const megabyte = 1024 * 1024;
const page = (n: number) => ({ text: `${n} `.padEnd(5000, "財") });

describe("the cache", () => {
  it("B22: holds no more bytes than allowed, whatever is put in, and the last used of it", () => {
    const cache = createCache(systemClock, megabyte);
    const parts = ["pages", "products"].map((name) => cache.open<{ text: string }>(name, 60_000));
    for (let n = 0; n < 2000; n += 1) {
      for (const part of parts) part.set(String(n), page(n));
      expect(parts[0]?.get("0")).toEqual(page(0));
      expect(cache.bytes()).toBeLessThanOrEqual(megabyte);
    }
    expect(cache.bytes()).toBeGreaterThan(megabyte / 2);
    expect(parts.map((part) => part.get("1999")?.text.length)).toEqual([5000, 5000]);
    expect(parts.map((part) => part.get("1"))).toEqual([undefined, undefined]);
  });

  it("B22: lets one giant neither in nor push out what is there", () => {
    const cache = createCache(systemClock, megabyte);
    const part = cache.open<{ text: string }>("pages", 60_000);
    part.set("small", page(1));
    part.set("giant", { text: "財".repeat(megabyte) });
    expect(part.get("giant")).toBeUndefined();
    expect(part.get("small")).toEqual(page(1));
  });

  it("B22: frees what has expired although nobody asks for it", async () => {
    const cache = createCache(systemClock, megabyte);
    const part = cache.open<{ text: string }>("pages", 1);
    for (let n = 0; n < 10; n += 1) part.set(String(n), page(n));
    expect(cache.bytes()).toBeGreaterThan(0);
    await expect.poll(() => cache.bytes()).toBe(0);
  });

  it("keeps the values of different names apart, and those of one name together", () => {
    const cache = createCache(systemClock);
    cache.open<{ n: number }>("one", 1000).set("key", { n: 1 });
    expect(cache.open<{ n: number }>("other", 1000).get("key")).toBeUndefined();
    expect(cache.open<{ n: number }>("one", 1000).get("key")).toEqual({ n: 1 });
  });
});

describe("sizeOf", () => {
  it("B22: counts about what V8 really takes for values of every kind", async () => {
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void; // what the flag above exposes
    const values: Record<string, (n: number) => unknown> = {
      japanese: (n) => ({ title: `財布 ${n} `.repeat(50), price: n, tags: [`革${n}`, `青${n}`] }),
      latin: (n) => ({ title: `purse ${n} `.repeat(50), price: n, tags: [`a${n}`, `b${n}`] }),
      hits: (n) => Array.from({ length: 20 }, (_, i) => ({ id: i, text: `財布 ${n} ${i}` })),
      map: (n) => new Map(Array.from({ length: 20 }, (_, i) => [i, `財布 ${n} ${i}`])),
    };
    const all: unknown[] = [];
    for (const [kind, create] of Object.entries(values)) {
      collect();
      const before = process.memoryUsage().heapUsed;
      // As from the wire: without texts that share their characters.
      const held = Array.from({ length: 3000 }, (_, n) =>
        kind === "map" ? create(n) : (JSON.parse(JSON.stringify(create(n))) as unknown),
      );
      all.push(held);
      collect();
      const real = process.memoryUsage().heapUsed - before;
      const counted = held.reduce<number>((sum, value) => sum + sizeOf(value), 0);
      expect([kind, counted / real > 0.75 && counted / real < 2.5]).toEqual([kind, true]);
    }
  });
});
