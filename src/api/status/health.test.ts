import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { absentDb } from "../../../test/support/api.ts";
import { createCache } from "../../lib/cache.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLogger } from "../../lib/logger.ts";
import { createHealthApp } from "./health.ts";

it("a worker is alive until a loop hangs, whatever the database does, and says which one", async () => {
  let hanging: string[] = [];
  const app = createHealthApp({
    db: absentDb(),
    writeDb: absentDb(),
    replica: null,
    cache: createCache(systemClock),
    clock: systemClock,
    logger: silentLogger,
    registry: new Registry(),
    stopping: new AbortController().signal,
    hangingLoops: () => hanging,
    isReady: () => true,
  });
  const get = async (path: string) => {
    const answer = await app.request(path);
    return [answer.status, await answer.text()] as const;
  };
  expect((await get("/healthz"))[0]).toBe(200);
  expect((await get("/readyz"))[0]).toBe(503);
  hanging = ["mirror", "alerts"];
  const [status, body] = await get("/healthz");
  expect(status).toBe(503);
  expect(body).toContain("loops of the worker hang: mirror, alerts");
  expect((await get("/metrics"))[0]).toBe(200);
  expect((await get("/v1/products"))[0]).toBe(404);
});
