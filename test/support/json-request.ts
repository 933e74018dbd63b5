interface JsonRequest {
  headers: Record<string, string>;
  body?: string;
}

/** A request's headers with a body as JSON, if it has one. */
export function withJson(body: unknown, headers: Record<string, string> = {}): JsonRequest {
  if (body === undefined) return { headers };
  const type = { "Content-Type": "application/json" };
  return { headers: { ...type, ...headers }, body: JSON.stringify(body) };
}

/** Asks a search engine as plainly as can be. */
export function askMeilisearch(
  { host, apiKey }: { host: string; apiKey: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const request = withJson(body, { Authorization: `Bearer ${apiKey}` });
  return fetch(`${host}${path}`, { method, ...request });
}
