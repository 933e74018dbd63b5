import { z } from "zod";
import { imageKey, imageSizes, imageSlots } from "../../storefront/wire.ts";
import { itemBody, toItemBody } from "./bodies.ts";
import { bearer } from "./operation.ts";
import { ownItem, revise } from "./own-item.ts";
import { assumed, id, refusal, written } from "./parameters.ts";

const slot = z.string().transform(Number).pipe(z.literal(imageSlots));
const place = {
  item_id: assumed(id, "the product"),
  image_no: assumed(slot, "slot, 1 to 5"),
};

function isHttpsUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

export const imageOperations = [
  bearer({
    id: "items-add-image",
    method: "POST",
    path: "/1/items/add_image",
    purpose: "add a product image",
    scope: "write_items",
    parameters: {
      ...place,
      image_url: assumed(
        written(1, 2_000).refine(isHttpsUrl),
        "https address of the image; it is not fetched. The other sizes follow later",
      ),
    },
    answer: z.object({ item: itemBody }),
    run({ item_id, image_no, image_url }, call) {
      const item = ownItem(call, item_id);
      const others = withoutImage(item.images, image_no);
      const images = { ...others, [imageKey(image_no, "origin")]: image_url };
      return { item: toItemBody(revise(call, item, { images })) };
    },
  }),
  bearer({
    id: "items-delete-image",
    method: "POST",
    path: "/1/items/delete_image",
    purpose: "delete a product image",
    scope: "write_items",
    parameters: place,
    answer: z.object({ item: itemBody }),
    run({ item_id, image_no }, call) {
      const item = ownItem(call, item_id);
      if (item.images[imageKey(image_no, "origin")] === undefined) throw refusal("image_no");
      const images = withoutImage(item.images, image_no);
      return { item: toItemBody(revise(call, item, { images })) };
    },
  }),
];

function withoutImage<T extends object>(images: T, no: (typeof imageSlots)[number]): Partial<T> {
  const gone = new Set<string>(imageSizes.map((size) => imageKey(no, size)));
  return Object.fromEntries(Object.entries(images).filter(([key]) => !gone.has(key))) as Partial<T>;
}
