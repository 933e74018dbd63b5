import { createServer, type RequestListener } from "node:http";
import { createServer as createNetServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createStorefrontClient, type StorefrontClient } from "../../src/storefront/client.ts";
import { StorefrontError } from "../../src/storefront/errors.ts";
import { listenOnLoopback } from "../support/loopback.ts";

const secret = "canary-0f3a9c";
const page = JSON.stringify({ found: 0, start: 0, items: [] });
const json = { "content-type": "application/json; charset=utf-8" };
const open: { close(): unknown }[] = [];

afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = await listenOnLoopback(createServer(listener));
  open.push(server);
  return server.url;
}

/** A server of raw bytes, for replies that no HTTP library would write. */
async function serveRaw(onRequest: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => sockets.delete(socket));
    socket.once("data", () => onRequest(socket));
  });
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return (await listenOnLoopback(server)).url;
}

function clientOf(baseUrl: string, limits: { timeoutMs?: number; maxBytes?: number } = {}) {
  return createStorefrontClient({ baseUrl, clientId: "id", clientSecret: secret, ...limits });
}

async function failureOf(client: StorefrontClient, signal?: AbortSignal): Promise<StorefrontError> {
  const error: unknown = await client.search({ q: "革" }, signal).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StorefrontError))
    throw new Error("expected a StorefrontError", { cause: error });
  const everything = `${error.message} ${error.stack ?? ""} ${JSON.stringify(error)}`;
  expect(everything).not.toContain(secret);
  expect(error.cause).toBeUndefined();
  return error;
}

describe("the storefront client on a real network", () => {
  it("keeps connections alive over many calls", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, json).end(page);
    });
    const client = clientOf(url);
    for (let i = 0; i < 20; i += 1) await client.search({ q: "革" });
    // fetch ends a body a moment before it frees the socket, so that two of them take turns.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("reads a compressed reply", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(page));
    });
    expect(await clientOf(url).search({ q: "革" })).toMatchObject({ found: 0, items: [] });
  });

  it("U1: a refused connection is to be retried", async () => {
    const url = await serve(() => {});
    open.splice(0).forEach((server) => server.close());
    expect(await failureOf(clientOf(url))).toMatchObject({
      name: "NoConnection",
      code: "network",
      spent: true,
    });
  });

  it("U1: a name that does not resolve and a server without TLS are to be retried", async () => {
    expect(await failureOf(clientOf("https://storefront.invalid"))).toMatchObject({
      code: "network",
    });
    const url = await serve((_, response) => response.end());
    expect(await failureOf(clientOf(url.replace("http:", "https:")))).toMatchObject({
      code: "network",
    });
  });

  it("B1: a reply that cannot be received, whatever its headers say, is not taken for a missing connection", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { ...json, "content-encoding": "gzip, ".repeat(6) }).end(page);
    });
    expect(await failureOf(clientOf(url))).toMatchObject({ name: "RetryLater", spent: true });
  });

  it("names a proxy that asks for credentials as what may be at fault", async () => {
    const url = await serve((_, response) => void response.writeHead(407).end());
    const { code, message } = await failureOf(clientOf(url));
    expect([code, message]).toEqual(["disconnected", expect.stringContaining("407 of a proxy")]);
  });

  it("U2, U5: a reply cut at any byte is to be retried and never read as a result", async () => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${page.length}\r\n\r\n`;
    const whole = head + page;
    for (const reset of [false, true]) {
      for (let k = 0; k < whole.length; k += 1) {
        const url = await serveRaw((socket) => {
          socket.write(whole.slice(0, k), () => (reset ? socket.resetAndDestroy() : socket.end()));
        });
        const failure = await failureOf(clientOf(url));
        expect(failure.name, `cut at ${k}`).toBe("RetryLater");
        expect(["disconnected", "truncated"]).toContain(failure.code);
        open.splice(0).forEach((server) => server.close());
      }
    }
  });

  it("U5: a chunked reply that breaks off is truncated, not invalid", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, json).write(page.slice(0, 20), () => response.destroy());
    });
    expect(await failureOf(clientOf(url))).toMatchObject({ name: "RetryLater", code: "truncated" });
  });

  it("reads how long to wait after status 429, in seconds or until a moment of the upstream's clock", async () => {
    const date = "Sun, 01 Mar 2026 15:00:00 GMT";
    for (const [retryAfter, ms] of [
      ["120", 120_000],
      ["Sun, 01 Mar 2026 15:02:00 GMT", 120_000],
      ["soon", null],
      ["-5", null],
      ["60.5", null],
    ] as const) {
      const headers = { date, "retry-after": retryAfter };
      const url = await serve((_, response) => response.writeHead(429, headers).end());
      expect(await failureOf(clientOf(url))).toMatchObject({ retryAfterMs: ms });
    }
  });

  it("U3: the deadline covers a body that drips and a server that accepts and hangs", async () => {
    const dripping = await serve((_, response) => {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    const hanging = await serveRaw(() => {});
    for (const url of [dripping, hanging]) {
      const before = performance.now();
      expect(await failureOf(clientOf(url, { timeoutMs: 300 }))).toMatchObject({
        name: "RetryLater",
        code: "timeout",
        spent: true,
      });
      expect(performance.now() - before).toBeLessThan(15_000);
    }
  });

  it("gives up at once when its caller does, knowing that the call may have been counted", async () => {
    const stop = new AbortController();
    const url = await serveRaw(() => stop.abort());
    expect(await failureOf(clientOf(url), stop.signal)).toMatchObject({
      code: "aborted",
      spent: true,
    });
  });

  it.each([
    [
      "HTML with status 200",
      200,
      { "content-type": "text/html" },
      "<html>ok</html>",
      "BadReply",
      "bad_reply",
    ],
    ["HTML called JSON", 200, json, "<html>ok</html>", "BadReply", "bad_reply"],
    [
      "HTML with status 400",
      400,
      { "content-type": "text/html" },
      "<html>",
      "BadReply",
      "bad_reply",
    ],
    [
      "JSON of the wrong content type",
      200,
      { "content-type": "text/plain" },
      page,
      "BadReply",
      "bad_reply",
    ],
    ["no content type", 200, {}, page, "BadReply", "bad_reply"],
    ["an empty body", 200, json, "", "BadReply", "bad_reply"],
    ["no content", 204, {}, "", "BadReply", "bad_reply"],
    ["a list", 200, json, "[]", "BadReply", "bad_reply"],
    ["status 500", 500, json, page, "RetryLater", "http_500"],
    [
      "status 502 with HTML",
      502,
      { "content-type": "text/html" },
      "<html>",
      "RetryLater",
      "http_502",
    ],
    ["status 503", 503, {}, "", "RetryLater", "http_503"],
    ["status 429", 429, {}, "", "SlowDown", "http_429"],
    ["status 403", 403, {}, "", "BadReply", "bad_reply"],
    ["a day limit", 400, {}, '{"error":"day_api_limit"}', "StopForToday", "day_api_limit"],
    ["a day limit", 429, json, '{"error":"day_api_limit"}', "StopForToday", "day_api_limit"],
    ["a day limit", 200, json, '{"error":"day_api_limit"}', "StopForToday", "day_api_limit"],
    ["an hour limit", 429, {}, '{"error":"hour_api_limit"}', "StopForHour", "hour_api_limit"],
    ["another error", 429, json, '{"error":"search_error"}', "SlowDown", "http_429"],
  ])(
    "U4: answers to %s with a failure of its own",
    async (_, status, headers, body, name, code) => {
      const url = await serve((__, response) => response.writeHead(status, headers).end(body));
      expect(await failureOf(clientOf(url))).toMatchObject({ name, code, spent: true });
    },
  );

  it("says of text that is no UTF-8 that it is none", async () => {
    const body = Buffer.from('{"found":"\x8d\xe0"', "latin1");
    const url = await serve((_, response) => response.writeHead(200, json).end(body));
    const { message } = await failureOf(clientOf(url));
    expect(message).toBe("the storefront answered text that is not UTF-8");
  });

  it("U6: gives up a gzip bomb at the cap without inflating it", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, " "));
    const url = await serve((_, response) => {
      response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    expect(await failureOf(clientOf(url))).toMatchObject({ name: "BadReply", code: "too_large" });
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
  });

  it("U6: reads a reply of exactly the cap and refuses one byte more", async () => {
    const url = await serve((_, response) => response.writeHead(200, json).end(page));
    expect(await clientOf(url, { maxBytes: page.length }).search({ q: "革" })).toMatchObject({
      found: 0,
    });
    expect(await failureOf(clientOf(url, { maxBytes: page.length - 1 }))).toMatchObject({
      code: "too_large",
    });
  });

  it("takes a reply whose compression is broken as a bad reply", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { ...json, "content-encoding": "gzip" }).end("not gzip at all");
    });
    expect(await failureOf(clientOf(url))).toMatchObject({ name: "BadReply" });
  });

  it.each([301, 302, 303, 307, 308])(
    "U7: does not follow a redirect with status %i: the other host is never called",
    async (status) => {
      let hits = 0;
      const other = await serve((_, response) => {
        hits += 1;
        response.writeHead(200, json).end(page);
      });
      const url = await serve((request, response) =>
        response.writeHead(status, { location: `${other}${request.url ?? ""}` }).end(),
      );
      expect(await failureOf(clientOf(url))).toMatchObject({
        name: "BadReply",
        code: "redirected",
      });
      expect(hits).toBe(0);
      // The control: fetch as it comes follows, credentials and all.
      await (await fetch(`${url}/1/search?client_secret=x`)).text();
      expect(hits).toBe(1);
    },
  );
});
