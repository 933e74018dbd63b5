import type { Suggestion } from "../../search/suggest/suggest.ts";
import { beginning } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";
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
      <Links
        lead={m.search.tryWithout}
        links={chips.map(({ label, href }) => ({ text: m.search.remove(label), href }))}
      />
      <Links
        lead={m.search.tryOneWord}
        links={(words.length > 1 ? words.slice(0, 6) : []).map((word) => ({
          text: beginning(word, 40),
          href: hrefWith(search.params, { q: word }),
        }))}
      />
      <Links
        lead={m.search.didYouMean}
        links={suggestions.map((suggestion) => ({
          text: beginning(suggestion.text, 60),
          href: toHref(suggestion),
        }))}
      />
      <p>
        <a href="/?q=" data-swap>
          {m.search.everything}
        </a>
      </p>
    </section>
  );
}

function Links(props: { lead: string; links: readonly { text: string; href: string }[] }) {
  if (props.links.length === 0) return null;
  return (
    <>
      <p>{props.lead}</p>
      <ul class="chips">
        {props.links.map(({ text, href }) => (
          <li>
            <a class="chip" href={href} dir="auto" data-swap>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </>
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
