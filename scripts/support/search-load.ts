/** Searches that are sent to a server as load, and what is measured meanwhile. */
import { Agent, request } from "node:http";
import { systemClock as clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createRandom } from "../../src/lib/random.ts";
import { quantileOf } from "../../src/lib/quantile.ts";
import type { BenchCatalogue } from "./bench-catalogue.ts";

export interface Target {
  name: string;
  url: string;
  /** The request of a search. */
  toRequest(q: string): {
    path: string;
    method: string;
    body: string;
    headers: Record<string, string>;
  };
}

export interface Figures {
  requests_per_s: number;
  p50_ms: number;
  p99_ms: number;
  bytes: number;
}

/** Words as often as the catalogue's titles have them: a natural Zipf distribution, the same on every run. */
export function zipfMix(titles: readonly string[], length: number): string[] {
  const words = titles.flatMap(wordsOf);
  const random = createRandom(7);
  return Array.from({ length }, () => random.pick(words));
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

export function wordsOf(title: string): string[] {
  return [...segmenter.segment(title.normalize("NFKC"))].flatMap(({ segment, isWordLike }) =>
    isWordLike && segment.length > 1 ? [segment] : [],
  );
}

interface LoadOptions {
  /** Keep-alive connections, each with one request at a time. */
  connections: number;
  seconds: number;
  /** So many searches instead, however long they take. */
  most?: number;
}

export async function measure(
  target: Target,
  searches: readonly string[],
  { connections, seconds, most = Infinity }: LoadOptions,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let bytes = 0;
  let next = 0;
  const startedMs = clock.monotonicMs();
  const endsMs = startedMs + seconds * 1000;
  const client = async () => {
    while (next < most && (most < Infinity || clock.monotonicMs() < endsMs)) {
      const q = must(searches[next % searches.length], "a search");
      next += 1;
      const atMs = clock.monotonicMs();
      const length = await send(target, q, agent);
      bytes += length;
      times.push(clock.monotonicMs() - atMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = (clock.monotonicMs() - startedMs) / 1000;
  agent.destroy();
  return {
    requests_per_s: Math.round(times.length / elapsed),
    p50_ms: quantileOf(times, 0.5),
    p99_ms: quantileOf(times, 0.99),
    bytes: Math.round(bytes / times.length),
  };
}

function send(target: Target, q: string, agent: Agent): Promise<number> {
  const { path, method, body, headers } = target.toRequest(q);
  return new Promise((resolve, reject) => {
    const sent = request(`${target.url}${path}`, {
      method,
      agent,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let length = 0;
      response.on("data", (chunk: Buffer) => (length += chunk.length));
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve(length);
        else reject(new Error(`${target.name} answered ${response.statusCode} for ${q}`));
      });
    });
    sent.end(body);
  });
}

export function toApiTarget(name: string, url: string): Target {
  return {
    name,
    url,
    toRequest: (q) => ({
      path: `/v1/products?q=${encodeURIComponent(q)}`,
      method: "GET",
      headers: {},
      body: "",
    }),
  };
}

/** Meilisearch itself with the same searches and whole documents. */
export function toRawTarget({ meili, indexUid }: BenchCatalogue): Target {
  return {
    name: "meilisearch",
    url: meili.host,
    toRequest: (q) => ({
      path: `/indexes/${indexUid}/search`,
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${meili.apiKey}`,
      },
      body: JSON.stringify({
        q,
        locales: ["jpn"],
        matchingStrategy: "all",
        page: 1,
        hitsPerPage: 20,
      }),
    }),
  };
}
