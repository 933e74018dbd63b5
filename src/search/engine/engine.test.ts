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

it.each([
  [401, '{"message":"Unauthorized"}'],
  [403, '{"message":"Forbidden","code":"access_denied"}'],
  [404, '{"message":"no Route matched with those values"}'],
  [403, "<html>Forbidden</html>"],
])(
  "takes a refusal by what stands before the engine for an engine that is away: %i %s",
  async (status, body) => {
    const { port, close } = await listenOnLoopback(
      createServer((_, answer) => answer.writeHead(status).end(body)),
    );
    onTestFinished(close);
    const host = `http://127.0.0.1:${port}`;
    const engine = createEngine({ host, apiKey: null, clock: systemClock });
    await expect(engine.search("products_v1", {})).rejects.toThrow(EngineUnavailable);
    await expect(engine.multiSearch([{}])).rejects.toThrow(EngineUnavailable);
  },
);

it("says which setting to mend when the engine refuses the key", async () => {
  const refusal = { message: "The provided API key is invalid.", code: "invalid_api_key" };
  const { port, close } = await listenOnLoopback(
    createServer((_, answer) => answer.writeHead(403).end(JSON.stringify(refusal))),
  );
  onTestFinished(close);
  const host = `http://127.0.0.1:${port}`;
  const engine = createEngine({ host, apiKey: "old", clock: systemClock });
  await expect(engine.search("products_v1", {})).rejects.toThrow("MEILI_API_KEY");
  await expect(engine.readIndex("products_v1")).rejects.toThrow("MEILI_API_KEY");
});
