import type { Client } from "openapi-fetch";
import type { components, paths } from "./api-types.ts";
import { orThrow } from "./problem.ts";
import type { Sleep } from "./retries.ts";

export type Product = components["schemas"]["Product"];
export type SearchPage = components["schemas"]["ProductSearchResult"];
export type SearchQuery = NonNullable<paths["/v1/products"]["get"]["parameters"]["query"]>;

export type Change = components["schemas"]["Change"];
/** Keep its `next`: the reading goes on after it, in another process too. */
export type ChangesPage = components["schemas"]["ChangeList"];

export interface ChangesOptions {
  /** `next` of the last page that was read; without it everything is read from the beginning. */
  after?: string;
  /** Changes a page, at most 1000. */
  limit?: number;
  /** Ask again after this time when everything is read; without it the reading ends there. */
  pollMs?: number;
  signal?: AbortSignal;
}

const mostPerPage = 100;
/** A search shows no product beyond this place. */
const maxDepth = 10_000;

/** Every page of a search, with what has most of the words behind what has all, from `query.page` (1) to the last one that can be reached. */
export async function* readSearchPages(
  api: Client<paths>,
  query: SearchQuery,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<SearchPage, void, undefined> {
  const perPage = query.per_page ?? mostPerPage;
  for (let page = query.page ?? 1; page * perPage <= maxDepth; page += 1) {
    const params = { query: { ...query, page, per_page: perPage } };
    const answer = await orThrow(api.GET("/v1/products", { params, ...withSignal(signal) }));
    yield answer;
    if (page * perPage >= answer.found + answer.partially_found) return;
  }
}

/** The changes in their order, page by page; empty pages are not shown. */
export async function* readChanges(
  api: Client<paths>,
  sleep: Sleep,
  { after, limit, pollMs, signal }: ChangesOptions,
): AsyncGenerator<ChangesPage, void, undefined> {
  let cursor = after;
  for (;;) {
    const query = { ...(cursor === undefined ? {} : { after: cursor }), ...(limit && { limit }) };
    const params = { query };
    const page = await orThrow(api.GET("/v1/changes", { params, ...withSignal(signal) }));
    if (page.items.length > 0) yield page;
    // An empty page with more behind it: all of its products are deleted by now.
    else if (page.poll_after_s > 0) {
      if (pollMs === undefined) return;
      await sleep(pollMs, signal ?? new AbortController().signal);
    }
    cursor = page.next;
  }
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
