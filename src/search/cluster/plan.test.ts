import { describe, expect, it } from "vitest";
import { countEach } from "../../lib/collect.ts";
import { bucketCount, bucketOf } from "../index/bucket.ts";
import { planMoves, rankHosts, type PlacementRow } from "./plan.ts";

const urls = ["http://a", "http://b", "http://c", "http://d"];
const hostsOf = (list: readonly string[]) =>
  urls.concat("http://e").map((url, i) => ({ host: i + 1, url, wanted: list.includes(url) }));

/** Carries the moves out until none is left. */
function settle(list: readonly string[], before: readonly PlacementRow[], copies: number) {
  let rows = [...before];
  let filled = 0;
  for (;;) {
    const { fill, leave } = planMoves(hostsOf(list), rows, copies);
    if (fill.length + leave.length === 0) return { rows, filled };
    filled += fill.length;
    const isLeaving = (row: PlacementRow) =>
      leave.some(({ bucket, host }) => bucket === row.bucket && host === row.host);
    rows = rows.filter((row) => !isLeaving(row));
    rows.push(...fill.map((row) => ({ ...row, state: "serving" as const })));
  }
}

describe("the buckets of products", () => {
  it("are filled evenly by ids of any step", () => {
    for (const step of [1, 2, 10, 1000, 1024, 65_536]) {
      const ids = Array.from({ length: 50_000 }, (_, i) => 100_000 + (i + 1) * step);
      const counts = countEach(ids.map(bucketOf));
      expect(counts.size).toBe(bucketCount);
      expect(Math.max(...counts.values())).toBeLessThan(100);
    }
  });
});

describe("planMoves", () => {
  const four = settle(urls, [], 2).rows;

  it("gives every bucket two different hosts, about evenly", () => {
    expect(four).toHaveLength(2 * bucketCount);
    for (const host of [1, 2, 3, 4]) {
      const rows = four.filter((row) => row.host === host);
      expect(new Set(rows.map((row) => row.bucket)).size).toBe(rows.length);
      expect(Math.abs(rows.length - bucketCount / 2)).toBeLessThan(60);
    }
  });

  it("moves only the share of a host that comes, and of one that goes", () => {
    const five = settle([...urls, "http://e"], four, 2);
    expect(five.filled).toBe(five.rows.filter((row) => row.host === 5).length);
    expect(Math.abs(five.filled - (2 * bucketCount) / 5)).toBeLessThan(60);
    const goesAgain = settle(urls, five.rows, 2);
    expect(goesAgain.filled).toBe(five.filled);
    expect(new Set(goesAgain.rows.map((row) => `${row.bucket} ${row.host}`))).toEqual(
      new Set(four.map((row) => `${row.bucket} ${row.host}`)),
    );
  });

  it("takes a bucket from a host only when all others that should have it are searched", () => {
    const bucket = 7;
    const [first = "", second = ""] = rankHosts(bucket, urls);
    const hostAt = (url: string) => hostsOf(urls).find((host) => host.url === url)?.host ?? 0;
    const old = { bucket, host: 5, state: "serving" as const };
    const rows = (state: "filling" | "serving"): PlacementRow[] => [
      old,
      { bucket, host: hostAt(first), state: "serving" },
      { bucket, host: hostAt(second), state },
    ];
    const leaving = (state: "filling" | "serving") =>
      planMoves(hostsOf(urls), rows(state), 2).leave.filter((move) => move.bucket === bucket);
    expect(leaving("filling")).toEqual([]);
    expect(leaving("serving")).toEqual([{ bucket, host: 5 }]);
  });

  it("keeps everything where it is when no host is wanted", () => {
    expect(planMoves(hostsOf([]), four, 2)).toEqual({ fill: [], leave: [] });
  });
});
