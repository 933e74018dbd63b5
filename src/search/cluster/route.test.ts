import { describe, expect, it } from "vitest";
import { allBuckets, chooseTargets, type Route } from "./route.ts";

const none = new Set<number>();
const host = (number: number, buckets: readonly number[], lagSeconds = 0) => ({
  host: number,
  url: `http://${number}`,
  indexUid: `products_h${number}_v1`,
  lagSeconds,
  buckets: [...buckets],
});
const evenOdd = (parity: number) => allBuckets.filter((bucket) => bucket % 2 === parity);
const all = { excluded: none, avoided: none };
const chosen = (route: Route, limits: Partial<typeof all> = {}) =>
  chooseTargets(route, allBuckets, { ...all, ...limits })?.map((target) => [
    target.host.host,
    target.buckets.length,
  ]);

describe("chooseTargets", () => {
  const two = [host(1, allBuckets), host(2, allBuckets)];

  it("asks each bucket at exactly one host, about evenly", () => {
    const targets = chooseTargets(two, allBuckets, all) ?? [];
    const buckets = targets.flatMap((target) => target.buckets);
    expect(buckets.toSorted((a, b) => a - b)).toEqual(allBuckets);
    expect(targets.map((target) => target.buckets.length)).toEqual([512, 512]);
  });

  it("needs no filter where one host is asked for all", () => {
    const targets = chooseTargets(two, allBuckets, { ...all, avoided: new Set([1]) });
    expect(targets).toMatchObject([{ host: { host: 2 }, filter: null }]);
  });

  it("avoids a host only where another one has the bucket", () => {
    const route = [host(1, allBuckets), host(2, evenOdd(0))];
    expect(chosen(route, { avoided: new Set([1]) })).toEqual([
      [2, 512],
      [1, 512],
    ]);
  });

  it("says when a bucket is left without a host", () => {
    const route = [host(1, evenOdd(1)), host(2, evenOdd(0))];
    expect(chosen(route)).toHaveLength(2);
    expect(chosen(route, { excluded: new Set([1]) })).toBeUndefined();
    expect(chosen([])).toBeUndefined();
  });

  it("prefers copies that are not far behind", () => {
    const route = [host(1, allBuckets, 100), host(2, allBuckets, 5)];
    expect(chosen(route)).toEqual([[2, 1024]]);
    expect(chosen([host(1, allBuckets, 20), host(2, allBuckets, 5)])).toHaveLength(2);
  });
});
