import { describe, expect, it } from "vitest";
import { createStorefrontClient } from "./client.ts";
import { StorefrontError } from "./errors.ts";

const credentials = { clientId: "id+of/mine", clientSecret: "s3cr&t=canary+1" };

function clientFor(reply: () => Response | Promise<Response>, baseUrl = "https://api.example.com") {
  const urls: string[] = [];
  const client = createStorefrontClient({
    baseUrl,
    ...credentials,
    fetch: async (url) => {
      urls.push(url instanceof Request ? url.url : url.toString());
      return reply();
    },
  });
  return { client, urls };
}

const emptySearch = () => Response.json({ found: 0, start: 0, items: [] });

async function failureOf(promise: Promise<unknown>): Promise<StorefrontError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof StorefrontError) return error;
  throw new Error("expected a StorefrontError", { cause: error });
}

describe("createStorefrontClient", () => {
  it("sends every parameter of a search by its name", async () => {
    const { client, urls } = clientFor(emptySearch, "https://api.example.com/base/");
    await client.search({
      q: "革 財布+1",
      sort: [
        { column: "order_count", direction: "desc" },
        { column: "item_id", direction: "asc" },
      ],
      start: 100,
      size: 50,
      shopId: "shop-1",
    });
    const url = new URL(urls[0] ?? "");
    expect(url.pathname).toBe("/base/1/search");
    expect(urls[0]).not.toContain("+");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "革 財布+1",
      sort: "order_count desc,item_id asc",
      start: "100",
      size: "50",
      shop_id: "shop-1",
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    });
  });

  it("leaves the upstream's defaults to the upstream", async () => {
    const { client, urls } = clientFor(emptySearch);
    await client.search({ q: "布" });
    expect([...new URL(urls[0] ?? "").searchParams.keys()]).toEqual([
      "q",
      "client_id",
      "client_secret",
    ]);
  });

  it("sends the ids of a refresh separated by commas", async () => {
    const { client, urls } = clientFor(() => Response.json({ items: [] }));
    await client.refresh({ shopId: "shop-1", itemIds: [3, 1] });
    const url = new URL(urls[0] ?? "");
    expect(url.pathname).toBe("/1/search/refresh");
    expect(url.searchParams.get("item_id")).toBe("3,1");
    expect(url.searchParams.get("shop_id")).toBe("shop-1");
  });

  it("refuses, before anything is sent, what the upstream could only refuse", async () => {
    const { client, urls } = clientFor(emptySearch);
    const ids = Array.from({ length: 51 }, (_, i) => i + 1);
    await expect(client.search({ q: " " })).rejects.toThrow(RangeError);
    await expect(client.search({ q: "a", size: 51 })).rejects.toThrow(RangeError);
    await expect(client.search({ q: "a", size: 0 })).rejects.toThrow(RangeError);
    await expect(client.search({ q: "a", start: -1 })).rejects.toThrow(RangeError);
    await expect(client.refresh({ shopId: "s", itemIds: ids })).rejects.toThrow(RangeError);
    await expect(client.refresh({ shopId: "s", itemIds: [] })).rejects.toThrow(RangeError);
    await expect(client.refresh({ shopId: "s", itemIds: [2 ** 53] })).rejects.toThrow(RangeError);
    await expect(client.refresh({ shopId: "", itemIds: [1] })).rejects.toThrow(RangeError);
    expect(urls).toEqual([]);
  });

  it("knows that a call given up before it was sent is not spent", async () => {
    const { client, urls } = clientFor(emptySearch);
    const failure = await failureOf(client.search({ q: "a" }, AbortSignal.abort()));
    expect(failure).toMatchObject({ name: "RetryLater", code: "aborted", spent: false });
    expect(urls).toEqual([]);
  });

  it.each([
    "http://api.example.com",
    "ftp://localhost",
    "https://u:p@example.com",
    "https://a/?q=1",
    "https://a/?",
    "https://a/#",
    "no",
  ])("refuses the base URL %s", (baseUrl) => {
    expect(() => clientFor(emptySearch, baseUrl)).toThrow(TypeError);
  });

  it.each([
    "http://127.0.0.1:1",
    "http://localhost:1",
    "http://[::1]:1",
    "https://api.example.com",
  ])("accepts the base URL %s", (baseUrl) => {
    expect(() => clientFor(emptySearch, baseUrl)).not.toThrow();
  });

  it.each([
    ["day_api_limit", "StopForToday"],
    ["hour_api_limit", "StopForHour"],
    ["auth_error", "FixCredentials"],
    ["invalid_request", "FixCredentials"],
    ["search_error", "FixRequest"],
    ["bad_params", "FixRequest"],
  ])("names %s by what the caller must do: %s", async (code, name) => {
    const body = { error: code, error_description: "1日の上限に達しました" };
    const { client } = clientFor(() => Response.json(body, { status: 400 }));
    const failure = await failureOf(client.search({ q: "a" }));
    expect(failure).toMatchObject({ name, code, spent: true });
    expect(failure.message).toContain("上限");
  });

  it("U4: takes an unknown error, an error with status 200 and a wrong envelope as a bad reply", async () => {
    const replies = [
      () => Response.json({ error: "toString" }, { status: 400 }),
      () => Response.json({ error: "search_error", found: 0, start: 0, items: [] }),
      () => Response.json({ found: 0, start: 0, items: {} }),
      () => Response.json([]),
      () => Response.json(null),
      () => Response.json({ items: [] }, { status: 201 }),
      () => Response.json({ items: [] }, { status: 404 }),
    ];
    for (const reply of replies) {
      const failure = await failureOf(clientFor(reply).client.search({ q: "a" }));
      expect(failure.name).toBe("BadReply");
    }
  });

  it.each([
    [{ found: 0, start: 0, items: null }, "items"],
    [[], "the whole"],
  ])("says which member of %j makes it no search result", async (body, member) => {
    const { client } = clientFor(() => Response.json(body));
    const { message } = await failureOf(client.search({ q: "a" }));
    expect(message).toContain(`the answer is not a search result: ${member}: `);
  });

  it.each(["1", "１", "", 12.5, -1, 1e21, true, null, undefined, {}, []])(
    "U18: takes the products of a search that finds %j",
    async (found) => {
      const { client } = clientFor(() => Response.json({ found, start: 0, items: [{}] }));
      const page = await client.search({ q: "a" });
      expect(page.found).toBeNull();
      expect(page.broken).toHaveLength(1);
    },
  );

  it.each([
    ...["", false, null, [], {}].map((error) => ({ error })),
    { start: undefined },
    { start: "0" },
  ])("takes a result with %j as one", async (odd) => {
    const { client } = clientFor(() => Response.json({ found: 0, start: 0, items: [], ...odd }));
    expect(await client.search({ q: "a" })).toMatchObject({ found: 0, start: 0 });
  });

  it("reads a thousand items of a page that ignores the size, and no refresh of more", async () => {
    const items = Array.from({ length: 1001 }, () => ({}));
    const { client } = clientFor(() => Response.json({ found: 1001, start: 0, items }));
    expect((await client.search({ q: "a", size: 50 })).broken).toHaveLength(1000);
    expect(await failureOf(client.refresh({ shopId: "s", itemIds: [1] }))).toMatchObject({
      code: "too_large",
      message: "the answer to a refresh has 1001 items, more than 1000",
    });
  });

  it.each([
    ["Latin-1", "latin1", "caf\u00e9 "],
    ["EUC-JP", "hex", "b3d7bae2c9db"],
  ] as const)(
    "U8: quarantines items whose text is in %s, and reads the others",
    async (_, encoding, sent) => {
      const item = (id: number, title: string) => ({
        item_id: id,
        title,
        detail: "革",
        price: 1,
        stock: 1,
        modified: 1,
        shop_id: "s",
        shop_name: "革工房",
        shop_url: "",
      });
      const items = [item(1, "TITLE"), item(2, "革財布"), { ...item(3, "皿"), detail: "TITLE" }];
      const deep = `"unknown":${"[".repeat(20_000)}${"]".repeat(20_000)},"title":"革`;
      const body = Buffer.concat(
        JSON.stringify({ items })
          .replace('"title":"革', deep)
          .split("TITLE")
          .flatMap((part, i) => [...(i ? [Buffer.from(sent, encoding)] : []), Buffer.from(part)]),
      );
      const headers = { "content-type": "application/json" };
      const { client } = clientFor(() => new Response(body, { headers }));
      const page = await client.refresh({ shopId: "s", itemIds: [1, 2, 3] });
      expect(page.items.map(({ itemId }) => itemId)).toEqual([2, 3]);
      expect(page.broken).toMatchObject([{ itemId: 1, reason: "not in UTF-8" }]);
    },
  );

  it("reads a reply that begins with a byte order mark", async () => {
    const text = JSON.stringify({ found: 0, start: 0, items: [] });
    const headers = { "content-type": "application/json" };
    const { client } = clientFor(() => new Response(`\uFEFF${text}`, { headers }));
    expect(await client.search({ q: "a" })).toMatchObject({ found: 0, items: [] });
  });

  it("S1, S4: keeps the credentials out of every failure, however the upstream echoes them", async () => {
    const { clientId, clientSecret } = credentials;
    const forms = [clientId, clientSecret].flatMap((s) => [
      s,
      encodeURIComponent(s),
      encodeURIComponent(s).toLowerCase(),
      new URLSearchParams({ s }).toString().slice(2),
      Buffer.from(s).toString("base64"),
      Buffer.from(s).toString("base64url"),
    ]);
    const echo = forms.join(" / ");
    const replies: (() => Response)[] = [
      () => Response.json({ error: "auth_error", error_description: echo }, { status: 400 }),
      () => Response.json({ error: echo, error_description: echo }, { status: 400 }),
      () => new Response(echo, { headers: { "content-type": "application/json" } }),
      () => new Response(echo, { status: 502 }),
      () =>
        Response.redirect(
          `https://example.com/?${new URLSearchParams({ clientSecret }).toString()}`,
          302,
        ),
      () => {
        throw new TypeError(`Failed to parse URL from ${echo}`, { cause: new Error(echo) });
      },
    ];
    for (const reply of replies) {
      const failure = await failureOf(clientFor(reply).client.search({ q: "a" }));
      const everything = [failure.message, failure.stack, JSON.stringify(failure)].join("\n");
      for (const form of forms) expect(everything).not.toContain(form);
      expect(failure.cause).toBeUndefined();
      expect(failure.message.length).toBeLessThan(1000);
    }
    const page = await clientFor(() =>
      Response.json({ found: 1, start: 0, items: [{ [echo]: echo, price: echo }] }),
    ).client.search({ q: "a" });
    for (const form of forms) expect(JSON.stringify(page)).not.toContain(form);
  });
});
