import { randomUUID } from "node:crypto";
import { STATUS_CODES, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

type Answer = readonly [status: number, code: string, detail: string];

const answers: Record<string, Answer> = {
  HPE_INVALID_URL: [
    400,
    "malformed_url",
    "letters beyond ASCII and spaces must be percent-encoded in the address (curl: -G --data-urlencode)",
  ],
  HPE_HEADER_OVERFLOW: [431, "headers_too_large", "the address and the headers are too long"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "body_too_large", "the body is too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "request_timeout", "the request did not arrive in time"],
};
const other: Answer = [400, "malformed_request", "the request is not valid HTTP"];

/** Answers what cannot be read as a request. The answers of Node itself do not say what is wrong. */
export function answerUnreadable(server: Server): void {
  const last = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, answer) => last.set(socket, answer));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = last.get(socket);
    const isAnswering = answer?.headersSent && !answer.writableFinished;
    if (!socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const [status, code, detail] = answers[error.code ?? ""] ?? other;
    const title = STATUS_CODES[status] ?? "Error";
    const problem = { type: "about:blank", title, status, code, detail };
    const body = JSON.stringify({ ...problem, request_id: randomUUID(), errors: [] });
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      "Connection: close",
      "Content-Type: application/problem+json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  });
}
