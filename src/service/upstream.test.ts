import { afterEach, describe, expect, it, vi } from "vitest";
import { createStorefrontClient } from "../storefront/client.ts";
import { FixCredentials } from "../storefront/errors.ts";
import { createTimeRequest, createUpstreamClock } from "../storefront/upstream-clock.ts";
import { systemClock } from "../lib/clock.ts";
import { silentLogger } from "../lib/logger.ts";
import { createRotatingClient, openClients } from "./upstream.ts";

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

/** An upstream that takes one secret at a time, and a file that holds one. */
function rotation() {
  const state = { valid: "canary-old", file: "canary-old\n", reads: 0, refused: 0 };
  const client = createRotatingClient(
    async () => {
      state.reads += 1;
      if (state.file === "") throw new Error("ENOENT");
      return state.file;
    },
    (clientSecret) =>
      createStorefrontClient({
        baseUrl: "https://api.example.com",
        clientId: "id",
        clientSecret,
        async fetch(url) {
          await new Promise(setImmediate);
          const sent = new URL(url instanceof Request ? url.url : url).searchParams;
          if (sent.get("client_secret") === state.valid) {
            return Response.json({ found: 0, start: 0, items: [] });
          }
          state.refused += 1;
          const error_description = `unknown secret ${sent.get("client_secret")}`;
          return Response.json({ error: "auth_error", error_description }, { status: 400 });
        },
      }),
  );
  return { state, search: () => client.search({ q: "革" }) };
}

describe("a secret that is exchanged", () => {
  it("S6: under load costs at most the calls under way, and no message names a secret", async () => {
    const { state, search } = rotation();
    const failures: unknown[] = [];
    const lane = async () => {
      for (let i = 0; i < 100; i += 1) {
        if (i === 40) Object.assign(state, { valid: "canary-new", file: "canary-new\n" });
        await search().catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
    expect(state.refused).toBeGreaterThan(0);
    expect(state.refused).toBeLessThanOrEqual(4);
    expect(failures).toHaveLength(state.refused);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(FixCredentials);
      expect(String(failure)).not.toContain("canary");
    }
    expect(state.reads).toBeLessThanOrEqual(5);
  });

  it("is looked for again while the file is missing, without a call", async () => {
    const { state, search } = rotation();
    state.file = "";
    await expect(search()).rejects.toMatchObject({ code: "no_credentials", spent: false });
    expect(state.refused).toBe(0);
    state.file = "canary-old";
    expect(await search()).toMatchObject({ found: 0 });
  });
});
