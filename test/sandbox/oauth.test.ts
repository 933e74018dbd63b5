import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { lifetimes } from "../../src/sandbox/assumptions.ts";
import { ownerPassword } from "../../src/sandbox/credentials.ts";
import { allowAt } from "../../src/sandbox/scenario/owner-client.ts";
import type { RunningSandbox } from "../../src/sandbox/server.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { send, tokensOf } from "./owner.ts";
import { start } from "./start.ts";

const redirectUri = "http://127.0.0.1:9876/callback";

/** openid-client, told where the sandbox is; `basic`: credentials in the header. */
function discover(sandbox: RunningSandbox, authenticate = client.ClientSecretPost) {
  const { url, application } = sandbox;
  const server = {
    issuer: url,
    authorization_endpoint: `${url}/1/oauth/authorize`,
    token_endpoint: `${url}/1/oauth/token`,
  };
  const secret = authenticate(application.clientSecret);
  const config = new client.Configuration(server, application.clientId, {}, secret);
  client.allowInsecureRequests(config);
  return config;
}

async function authorize(
  config: client.Configuration,
  { scope = "read_items write_items", pkce = true, redirect = redirectUri } = {},
) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const authorizeUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope,
    state,
    ...(pkce && {
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }),
  });
  const callback = must(
    await allowAt(authorizeUrl, { login: "demo-1", password: ownerPassword }),
    "a redirect",
  );
  const checks = { expectedState: state, ...(pkce && { pkceCodeVerifier: verifier }) };
  return { callback, checks };
}

const refusedWith = (error: string) => ({ error, status: 400 });

describe("an OAuth client library", () => {
  it.each([
    ["in the form", client.ClientSecretPost],
    ["in the header", client.ClientSecretBasic],
  ])("completes authorize, token and refresh, its secret %s", async (_, authenticate) => {
    const sandbox = await start({ products: 20 });
    const config = discover(sandbox, authenticate);
    const { callback, checks } = await authorize(config);
    const tokens = await client.authorizationCodeGrant(config, callback, checks);
    expect(tokens).toMatchObject({
      token_type: "bearer",
      expires_in: lifetimes.accessToken,
      scope: "read_users read_items write_items",
    });
    const me = new URL(`${sandbox.url}/1/users/me`);
    const ask = (token: string) => client.fetchProtectedResource(config, token, me, "GET");
    expect(await (await ask(tokens.access_token)).json()).toMatchObject({
      user: { shop_id: "demo-1" },
    });
    const renewed = await client.refreshTokenGrant(
      config,
      must(tokens.refresh_token, "a refresh token"),
    );
    expect((await ask(renewed.access_token)).status).toBe(200);
  });

  it("is refused with a spent code, which also ends the tokens it had brought", async () => {
    const sandbox = await start({ products: 20 });
    const config = discover(sandbox);
    const { callback, checks } = await authorize(config);
    const { access_token: token } = await client.authorizationCodeGrant(config, callback, checks);
    const call = { method: "GET", path: "/1/users/me", token } as const;
    expect((await send(sandbox, call)).status).toBe(200);
    await expect(client.authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject(
      refusedWith("invalid_grant"),
    );
    expect(await send(sandbox, call)).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
  });

  it("is refused with a spent refresh token, which also ends its successors", async () => {
    const sandbox = await start({ products: 20 });
    const config = discover(sandbox);
    const first = await tokensOf(sandbox, "demo-1");
    const second = await client.refreshTokenGrant(config, first.refresh_token);
    await expect(client.refreshTokenGrant(config, first.refresh_token)).rejects.toMatchObject(
      refusedWith("invalid_grant"),
    );
    await expect(
      client.refreshTokenGrant(config, must(second.refresh_token, "a refresh token")),
    ).rejects.toMatchObject(refusedWith("invalid_grant"));
  });

  it("is refused with a redirect address other than the code's, and the code stays good", async () => {
    const sandbox = await start({ products: 20 });
    const config = discover(sandbox);
    const { callback, checks } = await authorize(config);
    const elsewhere = new URL(callback);
    elsewhere.port = "9877";
    await expect(client.authorizationCodeGrant(config, elsewhere, checks)).rejects.toMatchObject(
      refusedWith("invalid_grant"),
    );
    await client.authorizationCodeGrant(config, callback, checks);
  });

  it("is refused without the verifier of its challenge, and with another secret", async () => {
    const sandbox = await start({ products: 20 });
    const config = discover(sandbox);
    const { callback, checks } = await authorize(config);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    await expect(
      client.authorizationCodeGrant(config, callback, { ...checks, pkceCodeVerifier }),
    ).rejects.toMatchObject(refusedWith("invalid_grant"));
    const impostor = discover(sandbox, () => client.ClientSecretPost("guessed"));
    await expect(client.authorizationCodeGrant(impostor, callback, checks)).rejects.toMatchObject(
      refusedWith("invalid_client"),
    );
  });

  it("is refused an operation whose scope it lacks, in the words of RFC 6750", async () => {
    const sandbox = await start({ products: 20 });
    const config = discover(sandbox);
    const { callback, checks } = await authorize(config, { scope: "read_items" });
    const { access_token } = await client.authorizationCodeGrant(config, callback, checks);
    const items = new URL(`${sandbox.url}/1/items/delete`);
    await expect(
      client.fetchProtectedResource(config, access_token, items, "POST", null),
    ).rejects.toMatchObject({
      cause: [{ parameters: { error: "insufficient_scope", scope: "write_items" } }],
    });
  });

  it("gets fewer scopes for one access token when it asks for fewer, never more", async () => {
    const sandbox = await start({ products: 20 });
    const config = discover(sandbox);
    const first = await tokensOf(sandbox, "demo-1", ["read_items", "read_orders"]);
    const fewer = await client.refreshTokenGrant(config, first.refresh_token, {
      scope: "read_items",
    });
    expect(fewer.scope).toBe("read_users read_items");
    const again = await client.refreshTokenGrant(
      config,
      must(fewer.refresh_token, "a refresh token"),
    );
    expect(again.scope).toBe("read_users read_items read_orders");
    await expect(
      client.refreshTokenGrant(config, must(again.refresh_token, "a refresh token"), {
        scope: "write_orders",
      }),
    ).rejects.toMatchObject(refusedWith("invalid_scope"));
  });
});

describe("codes and tokens", () => {
  it("end by the sandbox's clock", async () => {
    let now = new Date("2026-03-01T10:00:00Z");
    const clock: Clock = { ...systemClock, now: () => now };
    const pass = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));
    const sandbox = await start({ products: 20, clock });
    const config = discover(sandbox);
    const { callback, checks } = await authorize(config);
    const tokens = await tokensOf(sandbox, "demo-1");
    pass(lifetimes.code);
    await expect(client.authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject(
      refusedWith("invalid_grant"),
    );
    const call = { method: "GET", path: "/1/users/me", token: tokens.access_token } as const;
    expect((await send(sandbox, call)).status).toBe(200);
    pass(lifetimes.accessToken);
    expect((await send(sandbox, call)).body).toMatchObject({ error: "invalid_request" });
    await client.refreshTokenGrant(config, tokens.refresh_token);
  });

  it("open nothing once the shop is closed", async () => {
    const sandbox = await start();
    const shopId = must([...sandbox.catalog.shopIds()][0], "a shop");
    const { access_token: token } = await tokensOf(sandbox, shopId);
    sandbox.control.removeShop(shopId);
    expect((await send(sandbox, { method: "GET", path: "/1/users/me", token })).status).toBe(400);
    await expect(tokensOf(sandbox, shopId)).rejects.toThrow(/could not sign in/);
  });

  it("of Search and of the general API do not open each other", async () => {
    const sandbox = await start({ products: 20 });
    const { clientId, clientSecret } = sandbox.credentials;
    const params = { client_id: clientId, client_secret: clientSecret };
    const token = { method: "POST", path: "/1/oauth/token" } as const;
    expect(
      await send(sandbox, { ...token, params: { ...params, grant_type: "refresh_token" } }),
    ).toMatchObject({ status: 400, body: { error: "invalid_client" } });
    const app = sandbox.application;
    const search = { client_id: app.clientId, client_secret: app.clientSecret, q: "a" };
    expect(await send(sandbox, { method: "GET", path: "/1/search", params: search })).toMatchObject(
      { status: 400, body: { error: "auth_error" } },
    );
  });

  it("read_users_mail alone shows the e-mail address", async () => {
    const sandbox = await start({ products: 20 });
    for (const [scopes, isShown] of [
      [["read_users_mail"], true],
      [[], false],
    ] as const) {
      const { access_token: token } = await tokensOf(sandbox, "demo-1", scopes);
      const { body } = await send(sandbox, { method: "GET", path: "/1/users/me", token });
      expect("mail_address" in Object(body["user"])).toBe(isShown);
    }
  });
});
