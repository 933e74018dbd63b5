import { join } from "node:path";
import { productColumns } from "../../api/products/product-schema.ts";
import { toProduct } from "../../api/products/to-product.ts";
import { writeCursor } from "../../catalog/changes/change-cursor.ts";
import { withLivingProducts, type LivingProducts } from "../../catalog/changes/changes.ts";
import type { Market } from "../../catalog/market.ts";
import type { Config } from "../../config.ts";
import type { Db } from "../../db/open.ts";
import {
  type ProductPages,
  publishSnapshot,
  type SnapshotOptions,
} from "../../export/snapshots.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Resources } from "../resources.ts";

/** Where the public snapshots are, for those who write and those who serve them; null: none are published. */
export function publicExportsDir(config: Pick<Config, "publicExports" | "dataDir">): string | null {
  return config.publicExports ? join(config.dataDir, "public-exports") : null;
}

/** Publishes a snapshot and keeps that many; does nothing where none are published. */
export type Publish = (keep: number, signal: AbortSignal) => Promise<void>;

export function createPublisher(
  config: Config,
  market: Market,
  resources: Pick<Resources, "pool">,
  clock: Clock,
): Publish {
  const folder = publicExportsDir(config);
  if (folder === null) return async () => {};
  // A snapshot keeps its connection for long.
  const db = resources.pool("exports", { maxConnections: 1, statementTimeoutMs: 60_000 });
  return (keep, signal) => publishProducts({ db, market, clock, folder, keep, signal });
}

/** Publishes all products that live, as the API shows them. */
export async function publishProducts(
  options: Pick<SnapshotOptions, "clock" | "folder" | "keep" | "signal"> & {
    db: Db;
    market: Market;
  },
): Promise<void> {
  const { db, market, ...rest } = options;
  const now = options.clock.now();
  await publishSnapshot({
    ...rest,
    columns: productColumns,
    withState: (work) =>
      withLivingProducts(db, (living) =>
        work({ cursor: writeCursor(living.cursor), pages: () => toRows(living, market, now) }),
      ),
  });
}

async function* toRows(living: LivingProducts, market: Market, now: Date): ProductPages {
  for await (const records of living.pages())
    yield records.map((record) => toProduct(record, market, now));
}
