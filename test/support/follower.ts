import { gunzipSync } from "node:zlib";
import type { SnapshotManifest } from "../../src/export/manifest.ts";
import { must } from "../../src/lib/must.ts";

export type CopiedProduct = Readonly<Record<string, unknown>>;

/** What a follower keeps on its disk: it survives the follower. */
export interface Copy {
  products: Map<number, CopiedProduct>;
  /** null: nothing is known yet, or only a part of a snapshot. */
  cursor: string | null;
}

export interface FollowerOptions {
  copy: Copy;
  get(path: string): Promise<Response>;
  /** Called between any two steps; throws to kill the follower there. */
  step(): void;
  limit: number;
}

export const emptyCopy = (): Copy => ({ products: new Map(), cursor: null });

/** The recipe of infra/changes.md: an empty copy begins with the newest snapshot. */
export async function loadSnapshot({ copy, get, step }: FollowerOptions): Promise<void> {
  copy.products.clear();
  const manifest = (await (await get("/exports/manifest.json")).json()) as SnapshotManifest;
  const newest = must(manifest.snapshots[0], "a snapshot");
  const lines = must(
    newest.files.find(({ format }) => format === "jsonl.gz"),
    "JSON lines",
  );
  const file = await (await get(`/exports/${lines.file}`)).arrayBuffer();
  for (const line of gunzipSync(Buffer.from(file)).toString().trimEnd().split("\n")) {
    step();
    if (line !== "") put(copy, JSON.parse(line) as CopiedProduct);
  }
  step();
  copy.cursor = newest.cursor;
}

/** Reads one page of changes. The cursor is kept after the products. Returns how long to wait, in seconds. */
export async function followOnce({ copy, get, step, limit }: FollowerOptions): Promise<number> {
  const after = copy.cursor === null ? "" : `&after=${copy.cursor}`;
  const response = await get(`/v1/changes?limit=${limit}${after}`);
  if (response.status !== 200) throw new Error(await response.text());
  const page = (await response.json()) as {
    items: { item_id: number; product: CopiedProduct | null }[];
    next: string;
    poll_after_s: number;
  };
  for (const { item_id: id, product } of page.items) {
    step();
    if (product) put(copy, product);
    else copy.products.delete(id);
  }
  step();
  copy.cursor = page.next;
  return page.poll_after_s;
}

function put(copy: Copy, product: CopiedProduct): void {
  copy.products.set(Number(product.item_id), comparable(product));
}

/** Without the members that change although the product does not: of its group only the id is told. */
export function comparable({ group, ...product }: CopiedProduct): CopiedProduct {
  const { group_id: groupId = null } = (group ?? {}) as { group_id?: number };
  return { ...product, age_s: null, checked_at: null, group_id: groupId };
}
