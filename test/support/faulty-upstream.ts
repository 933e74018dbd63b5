/** A request of the crawl as it leaves. */
export interface SentCall {
  operation: "search" | "refresh";
  q: string;
  sort: string;
  start: number;
  size: number;
  shopId: string;
  itemIds: number[];
}

export interface UpstreamFault {
  /** Whether the request is about the bad subject. */
  concerns(call: SentCall): boolean;
  /** `upstream`: gets the sandbox's answer. */
  answer(call: SentCall, upstream: () => Promise<Response>): Response | Promise<Response>;
}

export interface FaultyUpstream {
  fetch: typeof fetch;
  /** Requests that were about a bad subject, as they came. */
  faulty: { call: SentCall; fault: UpstreamFault }[];
}

/** Sits between crawler and sandbox: requests about a bad subject fail while it is in the list. */
export function createFaultyUpstream(faults: readonly UpstreamFault[]): FaultyUpstream {
  const faulty: FaultyUpstream["faulty"] = [];
  return {
    faulty,
    async fetch(input, init) {
      const call = toSentCall(new URL(input instanceof Request ? input.url : input));
      const fault = faults.find((one) => one.concerns(call));
      if (!fault) return fetch(input, init);
      faulty.push({ call, fault });
      return fault.answer(call, () => fetch(input, init));
    },
  };
}

function toSentCall(url: URL): SentCall {
  const param = (name: string) => url.searchParams.get(name) ?? "";
  return {
    operation: url.pathname.endsWith("/refresh") ? "refresh" : "search",
    q: param("q"),
    sort: param("sort"),
    start: Number(param("start")),
    size: Number(param("size")),
    shopId: param("shop_id"),
    itemIds: param("item_id").split(",").filter(Boolean).map(Number),
  };
}

export const status = (code: number) => (): Response =>
  new Response("<html></html>", { status: code });

/** Valid, but larger than a client reads. */
export const nineMegabytes = (): Response =>
  new Response(`{"found":0,"start":0,"items":[]${" ".repeat(9 * 1024 * 1024)}}`, {
    headers: { "content-type": "application/json" },
  });

export const refused = (): Response =>
  Response.json({ error: "search_error", error_description: "invalid" }, { status: 400 });

/** The sandbox's own answer with items changed. */
export const spoilt =
  (spoil: (item: Record<string, unknown>) => Record<string, unknown>) =>
  async (_call: SentCall, upstream: () => Promise<Response>): Promise<Response> => {
    const body = (await (await upstream()).json()) as { items: Record<string, unknown>[] };
    return Response.json({ ...body, items: body.items.map(spoil) });
  };

export const noItems = (): Response => Response.json({ found: 0, start: 0, items: [] });
