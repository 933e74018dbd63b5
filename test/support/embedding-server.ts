import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { listenOnLoopback } from "./loopback.ts";

export interface EmbeddingServer {
  /** Options of an embedder of Meilisearch that asks this server, in its own protocol. */
  options: Record<string, unknown>;
  /** The same for embedders that speak a provider's protocol. */
  providers: Record<"openAi" | "ollama", Record<string, unknown>>;
  /** From now on answers 401, or no more, and quotes the key as careless servers do. */
  refuse(isRefusing: boolean): void;
  /** From now on answers 400 to texts with this word. */
  refuseWord(word: string): void;
  /** How many texts it has embedded. */
  asked(): number;
  close(): Promise<void>;
}

const embedderKey = "s3cret-embedder-canary";

/** Words of the same list point in the same direction; a text without any points in none of them. */
export async function openEmbeddingServer(
  meanings: readonly (readonly string[])[],
): Promise<EmbeddingServer> {
  const toVector = (input: string) => [
    0.1,
    ...meanings.map((words) => (words.some((word) => input.includes(word)) ? 1 : 0)),
  ];
  let asked = 0;
  let isRefusing = false;
  let refusedWord: string | null = null;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = z
      .object({ input: z.array(z.string()).or(z.string().transform((one) => [one])) })
      .parse(JSON.parse(await text(request)));
    asked += body.input.length;
    response.setHeader("Content-Type", "application/json");
    if (isRefusing) {
      response.writeHead(401).end(JSON.stringify({ error: `${embedderKey} is not valid` }));
      return;
    }
    const refused = refusedWord;
    if (refused !== null && body.input.some((input) => input.includes(refused))) {
      response.writeHead(400).end(JSON.stringify({ error: "not a text for this model" }));
      return;
    }
    const embeddings = body.input.map(toVector);
    const data = embeddings.map((embedding, index) => ({ object: "embedding", index, embedding }));
    response.end(JSON.stringify(request.url === "/v1/embeddings" ? { data } : { embeddings }));
  }

  const server = createServer((request, response) => void answer(request, response));
  const { url, close } = await listenOnLoopback(server);
  const dimensions = 1 + meanings.length;
  return {
    providers: {
      openAi: {
        source: "openAi",
        url: `${url}/v1/embeddings`,
        apiKey: embedderKey,
        model: "text-embedding-3-small",
        dimensions,
      },
      ollama: { source: "ollama", url: `${url}/api/embed`, model: "all-minilm", dimensions },
    },
    options: {
      source: "rest",
      url: `${url}/embed`,
      apiKey: embedderKey,
      request: { input: ["{{text}}", "{{..}}"] },
      response: { embeddings: ["{{embedding}}", "{{..}}"] },
    },
    refuse: (refusing) => (isRefusing = refusing),
    refuseWord: (word) => (refusedWord = word),
    asked: () => asked,
    close,
  };
}
