import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { listenOnLoopback } from "../../../test/support/loopback.ts";
import { createEngine, EngineUnavailable } from "./engine.ts";

it.each(["{}", "null", "[]", '"well"', '{"status":"maintenance"}', '{"hits":{},"results":[{}]}'])(
  "takes what is no search answer for an engine that is away, and not for no hits: %s",
  async (body) => {
    const { port, close } = await listenOnLoopback(
      createServer((_, answer) => answer.writeHead(200).end(body)),
    );
    onTestFinished(close);
    const host = `http://127.0.0.1:${port}`;
    const engine = createEngine({ host, apiKey: null, clock: systemClock });
    const away = (asked: Promise<unknown>) => expect(asked).rejects.toThrow(EngineUnavailable);
    await away(engine.search("products_v1", {}));
    await away(engine.multiSearch([{}]));
    await away(engine.federatedSearch([{}], {}));
    await away(engine.facetSearch("products_v1", {}));
  },
);

it("takes answers with members of another version", async () => {
  const body = JSON.stringify({ hits: [{ id: 1 }], totalHits: 1, processingTimeMs: 0, remote: {} });
  const { port, close } = await listenOnLoopback(
    createServer((_, answer) => answer.writeHead(200).end(body)),
  );
  onTestFinished(close);
  const host = `http://127.0.0.1:${port}`;
  const engine = createEngine({ host, apiKey: null, clock: systemClock });
  expect(await engine.search("products_v1", {})).toMatchObject({ hits: [{ id: 1 }] });
});
