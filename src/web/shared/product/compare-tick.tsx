import { idParam } from "../../../api/http/parameters.ts";
import type { Page } from "../page/page.ts";

const itemId = idParam();

/** Reads `items=1,2` and `items=1&items=2`, which forms send. */
export function readWanted(given: readonly string[], most: number) {
  const parts = given.flatMap((text) => text.split(",")).filter((text) => text !== "");
  const read = parts.map((text) => itemId.safeParse(text));
  const itemIds = [...new Set(read.flatMap(({ data }) => data ?? []))];
  return {
    /** Each once, in the order given. */
    itemIds: itemIds.slice(0, most),
    /** Whether something was given that is no id, or too many. */
    isFaulty: itemIds.length > most || read.some(({ success }) => !success),
  };
}

/** The form of all ticks on a page. */
const compareFormId = "compare";
/** Products that are compared at once. */
export const mostCompared = 4;

/** Chooses a product to compare. Scripts remember it over the pages of a tab. */
export function CompareTick(props: { page: Page; itemId: number; about: string }) {
  const { page, itemId, about } = props;
  return (
    <label class="compare-tick">
      <input type="checkbox" name="items" value={String(itemId)} form={compareFormId} />
      <span>
        {page.m.compare.tick}
        <span class="hidden">: {about}</span>
      </span>
    </label>
  );
}

/** Leads to the comparison of what is ticked. With scripts it is there once something is, and says how many. */
export function CompareBar({ page }: { page: Page }) {
  const { m } = page;
  return (
    <form
      id={compareFormId}
      class="compare-bar"
      action="/compare"
      data-most={String(mostCompared)}
      data-full={m.compare.full(mostCompared)}
    >
      <button type="submit">
        {m.compare.open} <span data-count></span>
      </button>
      <button type="button" class="plain" data-clear hidden>
        {m.compare.clear}
      </button>
    </form>
  );
}
