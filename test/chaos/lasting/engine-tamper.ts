import { createServer, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../world.ts";
import { listenOnLoopback } from "../../support/loopback.ts";

/** What happens to a request on its way to the engine. */
export interface Tampered {
  delayMs?: number;
  /** Sent in the body's place. */
  body?: string;
  /** Answered in the engine's place. */
  status?: number;
}

/** Puts itself between every process and the engine until the answer is called. */
export async function tamperWithEngine(
  { fleet, servers }: World,
  tamper: (method: string, path: string, body: string) => Tampered,
): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(servers.engine.host);
  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on("data", (chunk: Buffer) => chunks.push(chunk));
    asked.on("error", () => answer.destroy());
    asked.on("end", () => {
      const sent = Buffer.concat(chunks);
      const { method = "GET", url = "/" } = asked;
      const { delayMs = 0, body, status } = tamper(method, url, sent.toString());
      void pause(delayMs).then(() => {
        if (status !== undefined) return answer.writeHead(status).end();
        return pass(method, url, body === undefined ? sent : Buffer.from(body));
      });
    });

    function pass(method: string, url: string, body: Buffer): void {
      const headers = { ...asked.headers, "content-length": String(body.length) };
      const passed = request(new URL(url, servers.engine.host), { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      });
      passed.once("error", () => answer.destroy());
      passed.end(body);
    }
  });
  const own = await listenOnLoopback(server);
  await fleet.setEngine({ host: "127.0.0.1", port: own.port });
  return async () => {
    await fleet.setEngine({ host: hostname, port: Number(port) });
    await own.close();
  };
}
