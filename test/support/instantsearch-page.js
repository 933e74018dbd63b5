// The script of a search page as front ends write it; `API` is put in when it is bundled.
import { instantMeiliSearch } from "@meilisearch/instant-meilisearch";
import instantsearch from "instantsearch.js";
import {
  configure,
  hits,
  pagination,
  rangeInput,
  refinementList,
  searchBox,
  sortBy,
  stats,
} from "instantsearch.js/es/widgets";

const { searchClient } = instantMeiliSearch(`${API}/meili`, undefined, { finitePagination: true });
const search = instantsearch({ indexName: "products", searchClient });

search.addWidgets([
  configure({ hitsPerPage: 12 }),
  searchBox({ container: "#box" }),
  stats({ container: "#stats", templates: { text: ({ nbHits }) => String(nbHits) } }),
  hits({
    container: "#hits",
    templates: {
      item: (hit, { html, components }) =>
        html`<article data-id="${hit.item_id}" data-price="${hit.price}">
          ${components.Highlight({ hit, attribute: "title" })}
        </article>`,
    },
  }),
  refinementList({
    container: "#categories",
    attribute: "categories",
    searchable: true,
    limit: 30,
  }),
  rangeInput({ container: "#price", attribute: "price" }),
  sortBy({
    container: "#sort",
    items: [
      { value: "products", label: "relevance" },
      { value: "products:price:asc", label: "cheapest first" },
      { value: "products:price:desc", label: "dearest first" },
    ],
  }),
  pagination({ container: "#pages" }),
]);
search.start();
