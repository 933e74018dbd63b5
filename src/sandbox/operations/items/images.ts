import { z } from "zod";
import { imageKey, imageSizes, imageSlots } from "../../../storefront/wire.ts";
import { oneItem, ownItem, revise, showItem } from "../bodies.ts";
import { operationsOf } from "../operation.ts";
import { assumed, id, refusal, written } from "../parameters.ts";

const slot = z.string().transform(Number).pipe(z.literal(imageSlots));
const place = {
  item_id: assumed(id, "the product"),
  image_no: assumed(slot, "slot, 1 to 5"),
};
const operation = operationsOf("items");

function isHttpsUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

export const imageOperations = [
  operation("POST /1/items/add_image", "add a product image", {
    parameters: {
      ...place,
      image_url: assumed(
        written(1, 2_000).refine(isHttpsUrl),
        "https address of the image; it is not fetched. The other sizes follow later",
      ),
    },
    answer: oneItem,
    run({ item_id, image_no, image_url }, call) {
      const item = ownItem(call, item_id);
      const others = withoutImage(item.images, image_no);
      const images = { ...others, [imageKey(image_no, "origin")]: image_url };
      return showItem(revise(call, item, { images }));
    },
  }),
  operation("POST /1/items/delete_image", "delete a product image", {
    parameters: place,
    answer: oneItem,
    run({ item_id, image_no }, call) {
      const item = ownItem(call, item_id);
      if (item.images[imageKey(image_no, "origin")] === undefined) throw refusal("image_no");
      return showItem(revise(call, item, { images: withoutImage(item.images, image_no) }));
    },
  }),
];

function withoutImage<T extends object>(images: T, no: (typeof imageSlots)[number]): Partial<T> {
  const gone = new Set<string>(imageSizes.map((size) => imageKey(no, size)));
  return Object.fromEntries(Object.entries(images).filter(([key]) => !gone.has(key))) as Partial<T>;
}
