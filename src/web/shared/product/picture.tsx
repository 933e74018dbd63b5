import type { Market } from "../../../catalog/market.ts";
import type { ImageSlot } from "../../../db/schema.ts";
import { toSafeImage } from "../../../lib/safe-url.ts";

const widths = { "146": 146, "300": 300, "500": 500, "640": 640 } as const;

interface PictureProps {
  page: { market: Pick<Market, "loopbackPictures"> };
  slot: ImageSlot | null;
  /** The shown width, from which the browser chooses a size. */
  sizes: string;
  /** What it shows; empty if the text beside it says so already. */
  alt: string;
  /** Loads at once, for the main picture of a page. */
  eager?: boolean;
}

/**
 * A square picture in the best existing size. The placeholder is the background of the square, so it
 * is visible without a picture and if the picture does not load.
 */
export function Picture({ page, slot, sizes, alt, eager = false }: PictureProps) {
  const sources = slot ? toSources(slot, page.market) : null;
  return (
    <span class="picture">
      {sources !== null && (
        <img
          src={sources.src}
          srcset={sources.srcset}
          sizes={sources.srcset === undefined ? undefined : sizes}
          alt={alt}
          width="300"
          height="300"
          loading={eager ? "eager" : "lazy"}
          decoding="async"
          referrerpolicy="no-referrer"
        />
      )}
    </span>
  );
}

/** Null if no size can be shown. */
function toSources(
  slot: ImageSlot,
  { loopbackPictures }: Pick<Market, "loopbackPictures">,
): { src: string; srcset: string | undefined } | null {
  const safe = (text: string | null | undefined) => toSafeImage(text, loopbackPictures);
  const resized = Object.entries(widths).flatMap(([size, width]) => {
    const href = safe(slot[size]);
    return href === null ? [] : [{ href, width }];
  });
  const largest = resized.at(-1)?.href;
  const src = largest ?? safe(slot["sp_480"] ?? slot["sp_640"] ?? slot["origin"]);
  if (src === null) return null;
  const srcset = resized.map(({ href, width }) => `${href} ${width}w`).join(", ");
  return { src, srcset: resized.length > 1 ? srcset : undefined };
}
