import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { onTestFinished } from "vitest";
import { listenOnLoopback } from "./loopback.ts";

export interface Received {
  headers: Record<string, string>;
  body: string;
  /** By the name that the client asked for in TLS. */
  servername: string | false | null | undefined;
}

export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  /** May be replaced at any time. */
  answer: Answer;
  /** Connections now open. */
  open(): number;
}

export type Answer = (response: ServerResponse, request: Received) => void;

const ok: Answer = (response) => response.writeHead(204).end();
const nothing: Answer = () => {};

export const answers = {
  ok,
  nothing,
  status:
    (status: number, headers: Record<string, string> = {}): Answer =>
    (response) =>
      response.writeHead(status, headers).end("an answer"),
};

/** A receiver of webhooks on loopback, until the end of the test. */
export async function startReceiver(
  answer: Answer = answers.ok,
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  const receiver: Receiver = { port: 0, url: "", received: [], answer, open: () => sockets.size };
  const sockets = new Set<object>();
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.setEncoding("utf8");
    for await (const chunk of request) body += chunk;
    const { socket } = request;
    const servername = "servername" in socket ? (socket.servername as string) : null;
    const one = { headers: request.headers as Record<string, string>, body, servername };
    receiver.received.push(one);
    receiver.answer(response, one);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    response.on("error", () => {});
    take(request, response).catch(() => response.destroy());
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on("connection", (socket: NodeJS.Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {});
  const { port, close } = await listenOnLoopback(server);
  receiver.port = port;
  receiver.url = `${tls ? "https" : "http"}://127.0.0.1:${receiver.port}/hook`;
  onTestFinished(close);
  return receiver;
}
