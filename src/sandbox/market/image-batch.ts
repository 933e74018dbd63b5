import { z } from "zod";
import { imageKey, imageSizes, imageSlots } from "../../storefront/wire.ts";
import { images } from "../assumptions.ts";
import type { Catalog } from "../catalogue/catalog.ts";
import { pictureOf } from "../catalogue/generate.ts";
import { type Journal, createRecords } from "../state/journal.ts";

const waitingRecord = z.object({
  item_id: z.int(),
  slot: z.literal(imageSlots),
  origin: z.string(),
  /** Unix seconds. */
  added: z.int(),
});

/**
 * Creates the smaller sizes of images some time after they were added, without changing `modified`. Only
 * for images added from now on; a loaded catalogue keeps its missing sizes.
 */
export function createImageBatch(journal: Journal, catalog: Catalog, nowSeconds: () => number) {
  const waiting = createRecords(journal, "image", waitingRecord);
  catalog.watch({
    item(before, after) {
      if (!after) return;
      for (const slot of imageSlots) {
        const origin = after.images[imageKey(slot, "origin")];
        if (!origin || origin === before?.images[imageKey(slot, "origin")]) continue;
        if (imageSizes.every((size) => after.images[imageKey(slot, size)] !== undefined)) continue;
        const { item_id } = after;
        waiting.put(`${item_id}/${slot}`, { item_id, slot, origin, added: nowSeconds() });
      }
    },
  });
  return {
    run(): void {
      const now = nowSeconds();
      for (const { item_id, slot, origin, added } of waiting.values()) {
        if (now - added < images.resizedAfterSeconds) continue;
        waiting.remove(`${item_id}/${slot}`);
        const item = catalog.get(item_id);
        if (item?.images[imageKey(slot, "origin")] !== origin) continue;
        const sizes = imageSizes.map((size) => [
          imageKey(slot, size),
          size === "origin" ? origin : pictureOf(item_id, slot, size),
        ]);
        catalog.put({ ...item, images: { ...item.images, ...Object.fromEntries(sizes) } });
      }
    },
  };
}
