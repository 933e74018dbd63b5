import createFetchClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api-types.ts";
import {
  readChanges,
  readSearchPages,
  type ChangesOptions,
  type ChangesPage,
  type SearchPage,
  type SearchQuery,
} from "./pages.ts";
import { sleepFor, withRetries, type Fetch, type Sleep } from "./retries.ts";

export type {
  Change,
  ChangesOptions,
  ChangesPage,
  Product,
  SearchPage,
  SearchQuery,
} from "./pages.ts";
export { KurabeProblem, orThrow, type ParameterFault } from "./problem.ts";
export type { components, paths };

export interface ClientOptions {
  /** Where Kurabe is, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** Sent as `X-Api-Key`. */
  apiKey?: string;
  /** Sent with every request, such as `Authorization` for `/ops/v1`. */
  headers?: Record<string, string>;
  fetch?: Fetch;
  /** How often a request that is answered 429 or 503 is sent again; 3 unless told, 0 for never. */
  retries?: number;
  /** The longest wait before one of them, 30,000 unless told; a longer `Retry-After` is not waited for. */
  maxWaitMs?: number;
  /** How to wait; for tests. */
  sleep?: Sleep;
}

/**
 * `GET`, `POST` and so on take a path of the API and its parameters, and answer
 * `{ data, error, response }`; `orThrow` makes of that the data or a thrown KurabeProblem.
 */
export interface KurabeClient extends Client<paths> {
  /** Every page of a search, up to the 10,000th product. */
  searchPages(query: SearchQuery, options?: { signal?: AbortSignal }): AsyncGenerator<SearchPage>;
  /** What changed in the catalogue, in order, page by page. */
  changes(options?: ChangesOptions): AsyncGenerator<ChangesPage>;
}

/** A client of Kurabe's HTTP API, for browsers and Node. */
export function createClient(options: ClientOptions): KurabeClient {
  const { baseUrl, apiKey, retries = 3, maxWaitMs = 30_000, sleep = sleepFor } = options;
  const send = options.fetch ?? ((request: Request) => fetch(request));
  const api = createFetchClient<paths>({
    baseUrl,
    fetch: withRetries(send, { retries, maxWaitMs, sleep }),
    headers: { ...options.headers, ...(apiKey === undefined ? {} : { "X-Api-Key": apiKey }) },
  });
  return {
    ...api,
    searchPages: (query, more) => readSearchPages(api, query, more),
    changes: (more = {}) => readChanges(api, sleep, more),
  };
}
