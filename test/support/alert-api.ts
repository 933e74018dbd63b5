import type { TestApi } from "./api.ts";

interface Told {
  kind: string;
  saved_search_id: number;
  cursor: string;
  data: { price: number };
}

/** What the answers of these routes may have. */
export interface AlertBody {
  saved_search_id: number;
  name: string;
  code: string;
  events: number;
  items: Told[];
  next: string;
  errors: { parameter: string; message: string }[];
  feeds: { atom: string; json: string };
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: AlertBody;
}

/** Sends a request as the owner of a key; null: without one. */
export async function sendAlerts(
  api: TestApi,
  { method, path, body, key }: { method: string; path: string; body?: unknown; key: string | null },
): Promise<Answer> {
  const response = await api.request(path, {
    method,
    headers: {
      ...(key === null ? {} : { "X-Api-Key": key }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  const read = (isJson ? JSON.parse(text) : {}) as AlertBody;
  return { status: response.status, headers: response.headers, text, body: read };
}
