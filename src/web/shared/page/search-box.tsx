import type { Page } from "./page.ts";

/** The search form. Filters elsewhere on the page refer to it by its id. */
export const searchFormId = "search";

export function SearchBox({ page, q }: { page: Page; q: string }) {
  const { m } = page;
  return (
    <form id={searchFormId} class="search-box" role="search" method="get" action="/">
      <label class="hidden" for="q">
        {m.search.label}
      </label>
      <input
        id="q"
        name="q"
        type="search"
        value={q}
        maxlength={200}
        placeholder={m.search.placeholder}
        autocomplete="off"
        enterkeyhint="search"
        dir="auto"
        data-suggest={m.search.suggestions}
      />
      <button type="submit">{m.search.submit}</button>
    </form>
  );
}
