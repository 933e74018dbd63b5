import { readFileSync } from "node:fs";
import {
  createServer,
  type Server,
  type ServerOptions,
  STATUS_CODES,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { serve } from "@hono/node-server";
import { must } from "../lib/must.ts";
import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";

/** Time limits for clients in milliseconds. Node's own defaults are minutes. */
export const patience = {
  /** For all headers, and for the whole request. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Between two requests on one connection. */
  keepAliveTimeout: 10_000,
  /** Without a byte in either direction, for clients that do not read their answer. */
  idleTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  /** For answers under way when the server closes: as long as the API may take for one. */
  graceTimeout: 10_000,
};

/** A connection that has not sent a byte so long after the server closes was opened in advance. */
const silentMs = 1000;
const maxConnections = 2000;
/** All headers together, in bytes. More is answered with 431. */
const maxHeaderBytes = 16_384;
const maxRequestsPerSocket = 10_000;

export interface Listener {
  url: string;
  /** Takes no more connections, and resolves when all answers under way have been sent. */
  close(): Promise<void>;
}

/** Serves an app on an address. Refuses connections beyond the maximum at once. */
export async function listen(
  fetch: Parameters<typeof serve>[0]["fetch"],
  at: { host: string; port: number },
  limits: typeof patience = patience,
): Promise<Listener> {
  const { idleTimeout, graceTimeout, ...timeouts } = limits;
  const serverOptions: ServerOptions = { ...timeouts, maxHeaderSize: maxHeaderBytes };
  const server = serve({
    // An address with letters beyond ASCII reaches us in Node 20.19.0; later versions refuse it themselves.
    fetch: (request, env) =>
      /^[!-~]*$/.test(env.incoming.url ?? "")
        ? fetch(request, env)
        : refuse(answers.HPE_INVALID_URL),
    hostname: at.host,
    port: at.port,
    createServer,
    serverOptions,
  });
  if (!isHttp1(server)) throw new TypeError("an HTTP/1.1 server was asked for");
  server.maxConnections = Math.min(maxConnections, Math.floor(mostOpenFiles() / 2));
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  server.setTimeout(idleTimeout);
  answerUnreadable(server);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const endSilent = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", ({ message }) =>
      reject(new Error(`${message}; HOST, PORT and HEALTH_PORT say where to listen`)),
    );
  });
  const address = must(server.address(), "the API's address");
  const port = typeof address === "string" ? at.port : address.port;
  const host = at.host.includes(":") ? `[${at.host}]` : at.host;
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        // A connection whose answer is sent after this moment ends at once.
        server.keepAliveTimeout = 1;
        const timers = [
          setTimeout(endSilent, silentMs),
          setTimeout(() => server.closeAllConnections(), graceTimeout),
        ];
        server.close(() => {
          timers.forEach(clearTimeout);
          resolve();
        });
      }),
  };
}

/**
 * How many files and connections the process may have open, where Linux tells. Clients get half of them, so that a
 * crowd leaves some for Postgres and the upstream.
 */
function mostOpenFiles(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

function isHttp1(server: ReturnType<typeof serve>): server is Server {
  return "closeAllConnections" in server;
}

type Answer = readonly [status: number, code: string, detail: string];

const answers = {
  HPE_INVALID_URL: [
    400,
    "malformed_url",
    "letters beyond ASCII and spaces must be percent-encoded in the address (curl: -G --data-urlencode)",
  ],
  HPE_HEADER_OVERFLOW: [431, "headers_too_large", "the address and the headers are too long"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "body_too_large", "the body is too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "request_timeout", "the request did not arrive in time"],
} satisfies Record<string, Answer>;
const byCode = new Map<string, Answer>(Object.entries(answers));
const other: Answer = [400, "malformed_request", "the request is not valid HTTP"];
const problemType = "application/problem+json; charset=utf-8";

function toProblem([status, code, detail]: Answer): { title: string; body: string } {
  const title = STATUS_CODES[status] ?? "Error";
  const problem = { type: "about:blank", title, status, code, detail };
  return { title, body: JSON.stringify({ ...problem, request_id: randomUUID(), errors: [] }) };
}

function refuse(answer: Answer): Response {
  const headers = { "content-type": problemType, connection: "close" };
  return new Response(toProblem(answer).body, { status: answer[0], headers });
}

/** Answers what cannot be read as a request. The answers of Node itself do not say what is wrong. */
function answerUnreadable(server: Server): void {
  const last = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, answer) => last.set(socket, answer));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = last.get(socket);
    const isAnswering = answer?.headersSent && !answer.writableFinished;
    if (!socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const reply = byCode.get(error.code ?? "") ?? other;
    const { title, body } = toProblem(reply);
    const head = [
      `HTTP/1.1 ${reply[0]} ${title}`,
      "Connection: close",
      `Content-Type: ${problemType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  });
}
