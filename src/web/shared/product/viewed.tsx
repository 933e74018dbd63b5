import type { Page } from "../page/page.ts";

/** Products that a browser remembers; see `viewed.js`. */
export const mostViewed = 12;

/** Where the products that were viewed last appear: only the browser knows them. Needs the extra `viewed.js`. */
export function Viewed({ page, itemId }: { page: Page; itemId?: number }) {
  const { m } = page;
  return (
    <section
      class="viewed block"
      aria-labelledby="viewed"
      data-most={String(mostViewed)}
      data-item={itemId === undefined ? undefined : String(itemId)}
      hidden
    >
      <div class="heading">
        <h2 id="viewed">{m.viewed.title}</h2>
        <button type="button" class="plain small" data-clear>
          {m.viewed.clear}
        </button>
      </div>
      <p class="fine">{m.viewed.note}</p>
      <div data-products></div>
    </section>
  );
}
