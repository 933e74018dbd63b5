import { afterEach, expect, it, vi } from "vitest";
import { createTimeRequest, createUpstreamClock } from "../storefront/upstream-clock.ts";
import { systemClock } from "../lib/clock.ts";
import { silentLogger } from "../lib/logger.ts";
import { openClients } from "./upstream.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("takes an answer that comes after 25 s", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal(
    "fetch",
    (_url: string, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("given up")));
        setTimeout(() => resolve(Response.json({ items: [] })), 25_000);
      }),
  );
  const access = { baseUrl: "https://upstream.example", clientId: "id", clientSecret: "secret" };
  const one = { accounts: null, accountsFile: null, clientSecretFile: null, maxCallsPerSecond: 5 };
  const clock = createUpstreamClock({ clock: systemClock, logger: silentLogger }, () =>
    Promise.reject(new Error("not asked")),
  );
  const client = openClients(access, one, clock)("default");
  const answer = client.refresh({ shopId: "shop-1", itemIds: [1] });
  const [page] = await Promise.all([answer, vi.advanceTimersByTimeAsync(25_000)]);
  expect(page.items).toEqual([]);
});

it("asks for the upstream's time without a call and without credentials", async () => {
  const sent = vi.fn(() => Promise.resolve(new Response(null, { headers: { date: "a date" } })));
  vi.stubGlobal("fetch", sent);
  const headers = await createTimeRequest("https://upstream.example/api")();
  expect(headers.get("date")).toBe("a date");
  expect(sent.mock.calls).toEqual([
    [new URL("https://upstream.example/"), expect.objectContaining({ method: "HEAD" })],
  ]);
});
