import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { createEngine } from "../../src/search/engine/engine.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { listenOnLoopback, type Listening } from "../support/loopback.ts";
import {
  dirtyIds,
  drain,
  fillProducts,
  createTestMirror,
  setPrice,
  step,
} from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";

const test = openedForEach(createTestMirror);
let isStuck = false;
let stuck: Listening;

/** The engine on a full disk: it accepts writes, says that it is healthy, and finishes nothing. */
async function openStuckEngine(): Promise<void> {
  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  stuck = await listenOnLoopback(server);
}

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a request without encoding
  const { authorization = "", "content-type": type = "application/json" } = request.headers;
  const answer = await fetch(`${test.meili.host}${request.url}`, {
    method: request.method ?? "GET",
    headers: { authorization, "content-type": type },
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
  const text = await answer.text();
  const isTask = isStuck && request.url?.startsWith("/tasks");
  response.writeHead(answer.status, { "content-type": "application/json" });
  response.end(isTask ? text.replaceAll(/"status":"\w+"/g, '"status":"enqueued"') : text);
}

beforeEach(async () => {
  isStuck = false;
  await openStuckEngine();
});
afterEach(() => stuck.close());

describe("an engine that takes writes and finishes none", () => {
  it("M10: is recognised by the age of its oldest task, not by its health, and nothing is acknowledged until it goes on", async () => {
    const engine = createEngine({
      host: stuck.url,
      apiKey: test.meili.apiKey,
      clock: systemClock,
    });
    const mirror = test.start({ engine });
    await fillProducts(test.db, 1, 5);
    await drain(test.db, mirror, test.indexPrefix);
    isStuck = true;
    await setPrice(test.db, 1, 77);
    const serving = async () => (await readMirrorStatus(test.db, test.indexPrefix)).serving;
    await until(
      async () => {
        await step(mirror);
        return ((await serving())?.oldestTaskSeconds ?? 0) > 1;
      },
      { what: "an old task" },
    );
    expect((await fetch(`${stuck.url}/health`)).status).toBe(200);
    expect((await serving())?.lagSeconds).toBeGreaterThan(1);
    expect(await dirtyIds(test.db, test.indexUid)).toEqual([1]);
    isStuck = false;
    await drain(test.db, mirror, test.indexPrefix);
    expect(await serving()).toMatchObject({ oldestTaskSeconds: 0, lagSeconds: 0 });
    expect((await test.documents()).get(1)).toMatchObject({ price: 77 });
  });

  it("M10: is told of in the log, at the first index and later, and a first index is told of once", async () => {
    const engine = createEngine({ host: stuck.url, apiKey: test.meili.apiKey, clock: systemClock });
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const logger = createLogger({ level: "info", format: "json" }, { write });
    const told = (text: string) => lines.filter((line) => line.includes(text)).length;
    const mirror = test.start({ engine, clock, logger });
    const untilTold = async (times: number) => {
      const isTold = async () => {
        await step(mirror);
        aheadMs += 100_000;
        return told("has not done it for minutes") === times;
      };
      await until(isTold, { what: "the log to tell of the stuck engine", timeoutMs: 30_000 });
    };
    isStuck = true;
    await fillProducts(test.db, 1, 5);
    await untilTold(1);
    isStuck = false;
    await drain(test.db, mirror, test.indexPrefix);
    expect(told("has not done it for minutes")).toBe(1);
    expect(told("filling the search index")).toBe(1);
    isStuck = true;
    await setPrice(test.db, 1, 77);
    await untilTold(2);
    // Each look is two requests and some statements.
    expect(await step(mirror)).toBeGreaterThan(200);
  });
});
