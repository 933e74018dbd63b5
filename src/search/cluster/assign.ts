import { createHash } from "node:crypto";
import { bucketCount } from "../index/bucket.ts";

export interface PlannedHost {
  host: number;
  url: string;
  /** false: its buckets move to the others. */
  wanted: boolean;
}

export type PlacementState = "filling" | "serving" | "leaving";

export interface PlacementRow {
  bucket: number;
  host: number;
  state: PlacementState;
}

export interface Moves {
  fill: { bucket: number; host: number }[];
  leave: { bucket: number; host: number }[];
}

/**
 * The hosts for a bucket, first choice first, by rendezvous hashing: every host draws a number for the
 * bucket and the highest have it. So a host that comes or goes moves only its own share.
 */
export function rankHosts(bucket: number, urls: readonly string[]): string[] {
  return urls
    .map((url) => ({ url, draw: drawOf(bucket, url) }))
    .toSorted((a, b) => b.draw - a.draw || (a.url < b.url ? -1 : 1))
    .map(({ url }) => url);
}

function drawOf(bucket: number, url: string): number {
  return createHash("sha256").update(`${bucket} ${url}`).digest().readUIntBE(0, 6);
}

/**
 * What has to change so that every bucket is on `copies` wanted hosts. A bucket leaves a host only when
 * all hosts that should have it are searched.
 */
export function planMoves(
  hosts: readonly PlannedHost[],
  rows: readonly PlacementRow[],
  copies: number,
): Moves {
  const byUrl = new Map(hosts.map((host) => [host.url, host.host]));
  const urls = hosts.filter((host) => host.wanted).map((host) => host.url);
  const placed = Array.from({ length: bucketCount }, () => new Map<number, PlacementState>());
  for (const { bucket, host, state } of rows) placed[bucket]?.set(host, state);
  const moves: Moves = { fill: [], leave: [] };
  for (const [bucket, now] of placed.entries()) {
    const desired = rankHosts(bucket, urls)
      .slice(0, copies)
      .flatMap((url) => byUrl.get(url) ?? []);
    // A row that leaves has to be gone before it can come back.
    for (const host of desired) if (!now.has(host)) moves.fill.push({ bucket, host });
    const isReady = desired.length > 0 && desired.every((host) => now.get(host) === "serving");
    for (const [host, state] of now) {
      if (desired.includes(host) || state === "leaving") continue;
      if (isReady || state === "filling") moves.leave.push({ bucket, host });
    }
  }
  return moves;
}
