import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createCache, sizeOf } from "./cache.ts";
import { systemClock } from "./clock.ts";

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

  it("remembers one value of a name also where it is too small for it", async () => {
    const cache = createCache(systemClock, megabyte);
    let readings = 0;
    const read = cache.remember("giant", 60_000, async () => {
      readings += 1;
      return { text: "財".repeat(megabyte) };
    });
    expect(await read()).toBe(await read());
    expect(readings).toBe(1);
    cache.open<{ text: string }>("pages", 60_000).set("one", page(1));
    expect(cache.bytes()).toBeGreaterThan(2 * megabyte);
  });

  it("keeps the values of different names apart, and those of one name together", () => {
    const cache = createCache(systemClock);
    cache.open<{ n: number }>("one", 1000).set("key", { n: 1 });
    expect(cache.open<{ n: number }>("other", 1000).get("key")).toBeUndefined();
    expect(cache.open<{ n: number }>("one", 1000).get("key")).toEqual({ n: 1 });
  });
});

describe("a reading that is remembered", () => {
  function createSource(staleMs?: number) {
    const state = { nowMs: 0, begun: 0 };
    const ends: ((value: number | Error) => void)[] = [];
    const cache = createCache({ ...systemClock, monotonicMs: () => state.nowMs });
    const read = cache.remember(
      "source",
      100,
      () => {
        state.begun += 1;
        return new Promise<number>((resolve, reject) => {
          ends.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
        });
      },
      staleMs,
    );
    return Object.assign(state, { read, ends });
  }

  it("B29: that takes longer than its value holds runs once for all who ask meanwhile", async () => {
    const source = createSource();
    const first = source.read();
    const others = [250, 500, 5000].map((nowMs) => {
      source.nowMs = nowMs;
      return source.read();
    });
    expect(source.begun).toBe(1);
    source.ends.shift()?.(7);
    expect(await Promise.all([first, ...others])).toEqual([7, 7, 7, 7]);
  });

  it("B29: goes on when the value before it expires", async () => {
    const cache = createCache(systemClock);
    const ends: ((value: number) => void)[] = [];
    const read = cache.remember("source", 20, () => new Promise<number>((end) => ends.push(end)));
    const first = read();
    ends[0]?.(1);
    await first;
    const askAgain = () => {
      void read();
      return ends.length;
    };
    await expect.poll(askAgain, { interval: 1 }).toBe(2);
    // Set after it, and gone: the timer of the value before would have struck.
    cache.open<number>("witness", 40).set("", 1);
    const bytes = cache.bytes();
    await expect.poll(() => cache.bytes()).toBeLessThan(bytes);
    const second = [read(), read()];
    expect(ends).toHaveLength(2);
    ends[1]?.(2);
    expect(await Promise.all(second)).toEqual([2, 2]);
  });

  it("B29: holds from its end", async () => {
    const source = createSource();
    const first = source.read();
    source.nowMs = 5000;
    source.ends.shift()?.(7);
    await first;
    source.nowMs = 5100;
    expect(await source.read()).toBe(7);
    expect(source.begun).toBe(1);
    source.nowMs = 5101;
    const again = source.read();
    source.ends.shift()?.(8);
    expect(await again).toBe(8);
    expect(source.begun).toBe(2);
  });

  it("is answered while the next one runs, or fails, and waited for once it is too old", async () => {
    const source = createSource(1000);
    const first = source.read();
    source.ends.shift()?.(7);
    await first;
    source.nowMs = 200;
    expect(await Promise.all([source.read(), source.read()])).toEqual([7, 7]);
    expect(source.begun).toBe(2);
    source.ends.shift()?.(new Error("away"));
    await setImmediate();
    expect(await source.read()).toBe(7);
    expect(source.begun).toBe(3);
    source.ends.shift()?.(8);
    await setImmediate();
    expect(await source.read()).toBe(8);
    source.nowMs = 1301;
    const waiting = source.read();
    source.ends.shift()?.(9);
    expect(await waiting).toBe(9);
  });

  it("B29: is one also when the old value gets too old while the next one runs", async () => {
    const source = createSource(1000);
    const first = source.read();
    source.ends.shift()?.(7);
    await first;
    source.nowMs = 200;
    expect(await source.read()).toBe(7);
    source.nowMs = 1301;
    const waiting = [source.read(), source.read()];
    expect(source.begun).toBe(2);
    source.ends.shift()?.(8);
    expect(await Promise.all(waiting)).toEqual([8, 8]);
    expect(await source.read()).toBe(8);
    expect(source.begun).toBe(2);
  });

  it("is made again after a failure, which only those who shared it see", async () => {
    const source = createSource();
    const failing = [source.read(), source.read()];
    source.ends.shift()?.(new Error("away"));
    for (const asked of failing) await expect(asked).rejects.toThrow("away");
    const next = source.read();
    source.ends.shift()?.(9);
    expect(await next).toBe(9);
  });

  it("is given to those who asked for it, also when it is too large to be kept", async () => {
    const cache = createCache(systemClock, megabyte);
    const giants = cache.open<{ text: string }>("giants", 60_000);
    let readings = 0;
    const ask = () =>
      giants.fetch("one", async () => ({ text: "財".repeat(megabyte + (readings += 1)) }));
    const first = await Promise.all([ask(), ask()]);
    expect(first.map(({ text }) => text.length)).toEqual([megabyte + 1, megabyte + 1]);
    expect((await ask()).text.length).toBe(megabyte + 2);
    expect(cache.bytes()).toBe(0);
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
