import { describe, expect, it } from "vitest";
import { createStorefrontClient } from "../storefront/client.ts";
import { FixCredentials } from "../storefront/errors.ts";
import { createRotatingClient } from "./upstream.ts";

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
