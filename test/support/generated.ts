import type { Db } from "../../src/db/open.ts";
import { createGenerator } from "../../src/sandbox/catalogue/generate.ts";
import { toSearchBody } from "../../src/sandbox/catalogue/item.ts";
import { readSearchItems } from "../../src/storefront/read-items.ts";
import { storeItems } from "./catalog.ts";

/** The sandbox's invented catalogue, stored as one search sent at `sentAt` would store it. */
export async function storeGenerated(db: Db, sentAt: string, products: number): Promise<void> {
  const bodies = createGenerator(7).catalog(products).map(toSearchBody);
  await storeItems(db, sentAt, readSearchItems("[]", bodies).items);
}
