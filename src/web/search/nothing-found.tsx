import type { Suggestion } from "../../search/suggest/suggest.ts";
import { beginning } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { hrefWith, type SearchParams } from "./search-params.ts";
import { toChips } from "./chips.tsx";

interface NothingFoundProps {
  page: Page;
  search: SearchParams;
  shopNames: ReadonlyMap<string, string>;
  suggestions: readonly Suggestion[];
}

/** Links to searches that find more, for an empty result. */
export function NothingFound({ page, search, shopNames, suggestions }: NothingFoundProps) {
  const { m } = page;
  const chips = toChips({ page, search, shopNames });
  const words = (search.query.q ?? "").split(/\s+/).filter((word) => word !== "");
  return (
    <section class="nothing card">
      <h2>{m.search.nothing}</h2>
      {chips.length > 0 && (
        <>
          <p>{m.search.tryWithout}</p>
          <ul class="chips">
            {chips.map(({ label, href }) => (
              <li>
                <a class="chip" href={href} data-swap>
                  {m.search.remove(label)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {words.length > 1 && (
        <>
          <p>{m.search.tryOneWord}</p>
          <ul class="chips">
            {words.slice(0, 6).map((word) => (
              <li>
                <a class="chip" href={hrefWith(search.params, { q: word })} dir="auto" data-swap>
                  {beginning(word, 40)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {suggestions.length > 0 && (
        <>
          <p>{m.search.didYouMean}</p>
          <ul class="chips">
            {suggestions.map((suggestion) => (
              <li>
                <a class="chip" href={toHref(suggestion)} dir="auto" data-swap>
                  {beginning(suggestion.text, 60)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href="/?q=" data-swap>
          {m.search.everything}
        </a>
      </p>
    </section>
  );
}

function toHref(suggestion: Suggestion): string {
  const none = new URLSearchParams();
  switch (suggestion.kind) {
    case "words":
      return hrefWith(none, { q: suggestion.text });
    case "category":
      return hrefWith(none, { category: suggestion.category });
    case "shop":
      return hrefWith(none, { shop_id: suggestion.shopId });
  }
}
