import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { listen, patience, type Listener } from "../../src/service/listen.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

const large = Buffer.alloc(32 * 1024 * 1024, "x");
let unreadEnded = false;

/** What a slow answer waits for. */
function newGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open, isAwaited: false };
}
let slow = newGate();
const app = new Hono<{ Bindings: { outgoing: ServerResponse } }>()
  .get("/", (c) => c.text("hello"))
  .get("/slow", async (c) => {
    slow.isAwaited = true;
    await slow.opened;
    return c.text("hello after a while");
  })
  .get("/large", (c) => {
    c.env.outgoing.once("close", () => (unreadEnded = true));
    return c.body(large);
  });

async function start(limits = patience): Promise<Listener> {
  const listener = await listen(app.fetch, { host: "127.0.0.1", port: 0 }, limits);
  open.push(listener);
  return listener;
}

function dial(url: string): { socket: Socket; text(): string; isClosed(): boolean } {
  let text = "";
  let closed = false;
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.on("close", () => (closed = true)).on("error", () => (closed = true));
  open.push({ close: () => socket.destroy() });
  return { socket, text: () => text, isClosed: () => closed };
}

const hello = async (url: string) => (await fetch(url)).text();
const impatient = {
  headersTimeout: 500,
  requestTimeout: 1000,
  keepAliveTimeout: 300,
  idleTimeout: 1000,
  graceTimeout: 500,
  connectionsCheckingInterval: 50,
};

describe("the listening server", () => {
  it("A8: waits for headers 10 s and for a request 30 s, not Node's minutes", () => {
    expect(patience.headersTimeout).toBeLessThanOrEqual(10_000);
    expect(patience.requestTimeout).toBeLessThanOrEqual(30_000);
    expect(patience.idleTimeout).toBeLessThanOrEqual(30_000);
  });

  it("names the settings where it cannot listen", async () => {
    const port = Number(new URL((await start()).url).port);
    await expect(listen(app.fetch, { host: "127.0.0.1", port })).rejects.toThrow(
      /EADDRINUSE.*; HOST, PORT and HEALTH_PORT say where/,
    );
  });

  it("A8: ends clients that are slow with headers, body or reading, and serves the others meanwhile", async () => {
    const { url } = await start(impatient);
    const slow = [
      ...Array.from({ length: 100 }, () => "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "),
      ...Array.from(
        { length: 50 },
        () => "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx",
      ),
    ].map((head) => {
      const client = dial(url);
      client.socket.write(head);
      // Drips, so that the connection is never idle.
      const timer = setInterval(() => client.socket.writable && client.socket.write("x"), 100);
      client.socket.once("close", () => clearInterval(timer));
      return client;
    });
    const unread = dial(url);
    unread.socket.pause().write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    for (let i = 0; i < 20; i += 1) {
      const askedMs = performance.now();
      expect(await hello(url)).toBe("hello");
      expect(performance.now() - askedMs).toBeLessThan(5000);
    }
    await until(() => slow.every((client) => client.isClosed()), {
      what: "slow clients to be ended",
    });
    await until(() => unreadEnded, { what: "the client that does not read to be ended" });
    unread.socket.resume();
    await until(unread.isClosed, { what: "its connection to be closed" });
    expect(unread.text().length).toBeLessThan(large.length);
  });

  it.each([
    [
      "headers beyond 16 KiB",
      `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${"x".repeat(17_000)}\r\n\r\n`,
      431,
    ],
    [
      "a thousand headers",
      `GET / HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 1000 }, (_, i) => `X-Some-Header-${i}: ${i}`).join("\r\n")}\r\n\r\n`,
      431,
    ],
    ["no Host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["a Host that is none", "GET / HTTP/1.1\r\nHost: evil.example/path@x\r\n\r\n", 400],
    ["a bare line feed in a header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\n\r\n", 400],
    ["a NUL in a header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400],
    [
      "a body of two lengths",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
    ],
    ["no HTTP at all", "\u0016\u0003\u0001\u0002\0\r\n\r\n", 400],
  ])("A6: refuses %s", async (_, request, status) => {
    const { url } = await start();
    const client = dial(url);
    client.socket.write(request, "latin1");
    await until(() => client.text().includes("\r\n\r\n"), { what: "an answer" });
    expect(client.text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(client.text()).not.toContain("evil.example");
    expect(await hello(url)).toBe("hello");
  });

  it.each([
    ["an address with letters as they are", "/?q=財布", 400, "malformed_url"],
    ["an address beyond 16 KiB", `/?q=${"a".repeat(17_000)}`, 431, "headers_too_large"],
  ])("A6: says what is wrong with %s", async (_, path, status, code) => {
    const { url } = await start();
    const client = dial(url);
    client.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await until(client.isClosed, { what: "the end of the connection" });
    const [head = "", body = ""] = client.text().split("\r\n\r\n");
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body)).toMatchObject({ status, code });
  });
});

describe("a server that closes", () => {
  it("sends the answers under way whole, takes nothing new, and ends connections without a request", async () => {
    slow = newGate();
    const listener = await start();
    const [kept, silent] = [dial(listener.url), dial(listener.url)];
    kept.socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await until(() => kept.text().endsWith("hello"), { what: "an answer on a kept connection" });
    const busy = dial(listener.url);
    busy.socket.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    await until(() => slow.isAwaited, { what: "the slow request to begin" });
    let isClosed = false;
    const closed = listener.close().then(() => (isClosed = true));
    await until(() => kept.isClosed() && silent.isClosed(), { what: "idle connections to end" });
    await expect(fetch(listener.url)).rejects.toThrow("fetch failed");
    expect([isClosed, busy.isClosed()]).toEqual([false, false]);
    slow.open();
    await closed;
    expect(busy.text()).toMatch(/hello after a while$/);
  });

  it("does not wait for an answer beyond the grace time", async () => {
    slow = newGate();
    const listener = await start(impatient);
    const busy = dial(listener.url);
    busy.socket.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    await until(() => slow.isAwaited, { what: "the slow request to begin" });
    await listener.close();
    await until(busy.isClosed, { what: "its connection to be cut" });
    expect(busy.text()).toBe("");
  });
});
