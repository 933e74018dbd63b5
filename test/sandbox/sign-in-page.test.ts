import { describe, expect, it } from "vitest";
import { ownerPassword } from "../../src/sandbox/credentials.ts";
import { must } from "../../src/lib/must.ts";
import type { RunningSandbox } from "../../src/sandbox/server.ts";
import { start } from "./start.ts";

const asBrowser = { accept: "text/html" };

function authorizeUrl(sandbox: RunningSandbox, changes: Record<string, string> = {}) {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: sandbox.application.clientId,
    redirect_uri: "http://127.0.0.1:9876/callback",
    scope: "read_items",
    state: 'a&b"<script>',
    ...changes,
  });
  return `${sandbox.url}/1/oauth/authorize?${query.toString()}`;
}

async function show(sandbox: RunningSandbox, changes: Record<string, string> = {}) {
  const response = await fetch(authorizeUrl(sandbox, changes), {
    redirect: "manual",
    headers: asBrowser,
  });
  const html = await response.text();
  const hidden = (name: string) =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return { response, html, cookie, request: hidden("request"), seal: hidden("seal") };
}

function submit(
  sandbox: RunningSandbox,
  form: Record<string, string>,
  headers: Record<string, string>,
) {
  return fetch(`${sandbox.url}/oauth/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { ...asBrowser, ...headers },
    body: new URLSearchParams({
      login: "demo-1",
      password: ownerPassword,
      decision: "allow",
      ...form,
    }),
  });
}

describe("the sign-in page", () => {
  it("needs no script, cannot be framed, and shows nothing of the request as markup", async () => {
    const { response, html } = await show(await start({ products: 20 }));
    const policy = must(response.headers.get("content-security-policy"), "a policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    expect(html).not.toContain("<script");
  });

  it("sends the browser back with the code and the state unchanged", async () => {
    const sandbox = await start({ products: 20 });
    const { cookie, request, seal } = await show(sandbox);
    const answer = await submit(sandbox, { request, seal }, { cookie, origin: sandbox.url });
    expect(answer.status).toBe(303);
    const location = new URL(must(answer.headers.get("location"), "a location"));
    expect(location.searchParams.get("state")).toBe('a&b"<script>');
    expect(location.searchParams.get("code")).toMatch(/^[\w-]{43}$/);
  });

  it("is shown again after a wrong password, and tells the application when it is declined", async () => {
    const sandbox = await start({ products: 20 });
    const { cookie, request, seal } = await show(sandbox);
    const wrong = await submit(sandbox, { request, seal, password: "guess" }, { cookie });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain("パスワードが正しくありません");
    const denied = await submit(sandbox, { request, seal, decision: "deny" }, { cookie });
    expect(denied.headers.get("location")).toMatch(/callback\?error=access_denied&state=/);
  });

  it("refuses a form that it did not show to this browser for this request", async () => {
    const sandbox = await start({ products: 20 });
    const { cookie, request, seal } = await show(sandbox);
    const other = await show(sandbox);
    const forged = [
      submit(sandbox, { request, seal }, {}),
      submit(sandbox, { request, seal }, { cookie: other.cookie }),
      submit(sandbox, { request, seal: "" }, { cookie }),
      submit(sandbox, { request, seal: seal.replace(/^\d+/, "9999999999") }, { cookie }),
      submit(sandbox, { request: request.replace("9876", "6666"), seal }, { cookie }),
      submit(sandbox, { request, seal }, { cookie, origin: "https://elsewhere.example.com" }),
    ];
    for (const answer of await Promise.all(forged)) {
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
  });

  it.each([
    ["an unknown application", { client_id: "other" }],
    ["an address that is not registered", { redirect_uri: "https://elsewhere.example.com/" }],
    ["an address that is not HTTPS", { redirect_uri: "http://elsewhere.example.com/callback" }],
    ["another path", { redirect_uri: "http://127.0.0.1/callback/../x" }],
    ["a fragment", { redirect_uri: "http://127.0.0.1/callback#x" }],
    ["no address", { redirect_uri: "" }],
  ])("redirects nobody for %s", async (_, changes) => {
    const { response } = await show(await start({ products: 20 }), changes);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  it.each([
    ["unsupported_response_type", { response_type: "token" }],
    ["invalid_scope", { scope: "read_items everything" }],
    ["invalid_request", { code_challenge: "x".repeat(43), code_challenge_method: "plain" }],
  ])("tells the application %s", async (error, changes) => {
    const { response } = await show(await start({ products: 20 }), changes);
    expect(response.headers.get("location")).toContain(`callback?error=${error}&state=`);
  });
});
