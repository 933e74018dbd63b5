import { createServer, request } from "node:http";
import { listenOnLoopback } from "../support/loopback.ts";

export interface FullEngine {
  target: { host: string; port: number };
  /** Writes that were refused. */
  refused(): number;
  close(): Promise<void>;
}

const refusal = JSON.stringify({
  message:
    "There is no more space left on the device. Consider increasing the size of the disk/partition.",
  code: "no_space_left_on_device",
  type: "system",
  link: "https://docs.meilisearch.com/errors#no_space_left_on_device",
});

/** The engine with a full disk, as Meilisearch 1.21 shows it: reads go on, no write is taken. */
export async function openFullEngine(host: string): Promise<FullEngine> {
  let refused = 0;
  const server = createServer((asked, answer) => {
    const { method = "GET", url = "/", headers } = asked;
    const isWrite =
      method !== "GET" && !/\/(search|fetch|multi-search|facet-search)(\?|$)/.test(url);
    if (isWrite) {
      refused += 1;
      asked.resume();
      answer.writeHead(422, { "content-type": "application/json" }).end(refusal);
      return;
    }
    const passed = request(new URL(url, host), { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.once("error", () => answer.destroy());
    asked.pipe(passed);
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    target: { host: "127.0.0.1", port },
    refused: () => refused,
    close,
  };
}
