import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "./loopback.ts";

export interface LoadBalancer {
  url: string;
  close(): Promise<void>;
}

const lookEveryMs = 200;

/**
 * Sends requests to the processes that are ready, in turn and over connections that it keeps. It asks each for its
 * readiness five times a second, never tries again, and answers 502 if a process fails it.
 */
export async function openLoadBalancer(targets: readonly string[]): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const ready = new Set<string>();
  let turn = 0;
  const look = async () => {
    for (const target of targets) {
      const isReady = await fetch(`${target}/readyz?exclude=database`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isReady) ready.add(target);
      else ready.delete(target);
    }
  };
  const fail = (to: ServerResponse, why: string) => {
    if (to.headersSent) to.destroy();
    else to.writeHead(502).end(why);
  };
  const pass = (from: IncomingMessage, to: ServerResponse) => {
    const target = [...ready][(turn += 1) % ready.size];
    if (target === undefined) return fail(to, "no process is ready");
    const { method, headers, url = "/" } = from;
    const sent = request(new URL(url, target), { agent, method, headers }, (answer) => {
      const { connection: _, "keep-alive": __, ...kept } = answer.headers;
      to.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(to);
      answer.once("error", (error) => fail(to, error.message));
    });
    sent.once("error", (error) => fail(to, error.message));
    from.pipe(sent);
  };
  await look();
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, lookEveryMs);
  const server = createServer(pass);
  const listening = await listenOnLoopback(server);
  return {
    url: listening.url,
    async close() {
      clearInterval(timer);
      await looking;
      agent.destroy();
      await listening.close();
    },
  };
}
