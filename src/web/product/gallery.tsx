import type { ImageSlot } from "../../db/schema.ts";
import type { Page } from "../shared/page/page.ts";
import { Picture } from "../shared/product/picture.tsx";

/** A row that scrolls sideways by touch, wheel or keyboard, without scripts. */
export function Gallery(props: { page: Page; images: readonly (ImageSlot | null)[] }) {
  const { m } = props.page;
  const slots = props.images.filter((slot) => slot !== null);
  if (slots.length === 0) {
    return (
      <div class="gallery">
        <Picture page={props.page} slot={null} sizes="" alt="" />
        <p class="hidden">{m.product.noPhoto}</p>
      </div>
    );
  }
  return (
    <ul
      class="gallery"
      aria-label={m.product.gallery}
      {...(slots.length > 1 ? { tabindex: 0 } : {})}
    >
      {slots.map((slot, index) => (
        <li>
          <Picture
            page={props.page}
            slot={slot}
            sizes="(min-width: 60rem) 34rem, 92vw"
            alt={m.product.photo(index + 1, slots.length)}
            eager={index === 0}
          />
        </li>
      ))}
    </ul>
  );
}
