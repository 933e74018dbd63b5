// Widgets that the other page does not have, among them a list that grows instead of pages.
import { instantMeiliSearch } from "@meilisearch/instant-meilisearch";
import instantsearch from "instantsearch.js";
import {
  clearRefinements,
  configure,
  currentRefinements,
  hitsPerPage,
  index,
  infiniteHits,
  menu,
  numericMenu,
  rangeSlider,
  searchBox,
  stats,
  toggleRefinement,
} from "instantsearch.js/es/widgets";

const { searchClient } = instantMeiliSearch(`${API}/meili`, "", {
  meiliSearchParams: { matchingStrategy: "all", showMatchesPosition: true },
});
const search = instantsearch({ indexName: "products", searchClient });
const count = { text: ({ nbHits }) => String(nbHits) };

search.addWidgets([
  configure({ attributesToRetrieve: ["id", "price", "title"], attributesToSnippet: ["detail:6"] }),
  searchBox({ container: "#box" }),
  stats({ container: "#stats", templates: count }),
  infiniteHits({
    container: "#hits",
    templates: {
      item: (hit, { html, components }) =>
        html`<article data-id="${hit.id}" data-members="${Object.keys(hit).join(" ")}">
          <h2>${components.Highlight({ hit, attribute: "title" })}</h2>
          <p>${components.Snippet({ hit, attribute: "detail" })}</p>
        </article>`,
    },
  }),
  menu({ container: "#menu", attribute: "category", limit: 5, showMore: true, showMoreLimit: 50 }),
  toggleRefinement({ container: "#stock", attribute: "in_stock" }),
  numericMenu({
    container: "#steps",
    attribute: "price",
    items: [{ label: "all" }, { label: "cheap", end: 3000 }, { label: "dear", start: 3001 }],
  }),
  rangeSlider({ container: "#reduction", attribute: "discount_percent", pips: false }),
  currentRefinements({ container: "#chosen" }),
  clearRefinements({ container: "#clear" }),
  hitsPerPage({
    container: "#size",
    items: [
      { label: "5", value: 5, default: true },
      { label: "40", value: 40 },
    ],
  }),
  index({ indexName: "products", indexId: "cheapest" }).addWidgets([
    configure({ hitsPerPage: 1, filters: "price < 2000", query: "" }),
    stats({ container: "#second", templates: count }),
  ]),
]);
search.on("error", ({ error }) => (document.querySelector("#fault").innerText = error.message));
document.querySelector("#near").addEventListener("click", () => {
  search.addWidgets([configure({ aroundLatLng: "35.68, 139.76", aroundRadius: 1000 })]);
});
search.start();
