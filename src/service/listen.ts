import { createServer, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { serve } from "@hono/node-server";
import { must } from "../lib/must.ts";
import { answerUnreadable } from "./unreadable.ts";

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
const SILENT_MS = 1000;
const MAX_CONNECTIONS = 2000;
/** All headers together, in bytes. More is answered with 431. */
const MAX_HEADER_BYTES = 16_384;
const MAX_REQUESTS_PER_SOCKET = 10_000;

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
  const serverOptions: ServerOptions = { ...timeouts, maxHeaderSize: MAX_HEADER_BYTES };
  const server = serve({ fetch, hostname: at.host, port: at.port, createServer, serverOptions });
  if (!isHttp1(server)) throw new TypeError("an HTTP/1.1 server was asked for");
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
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
          setTimeout(endSilent, SILENT_MS),
          setTimeout(() => server.closeAllConnections(), graceTimeout),
        ];
        server.close(() => {
          timers.forEach(clearTimeout);
          resolve();
        });
      }),
  };
}

function isHttp1(server: ReturnType<typeof serve>): server is Server {
  return "closeAllConnections" in server;
}
